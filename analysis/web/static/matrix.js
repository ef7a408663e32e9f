// Small dense matrices as lists of rows: what the model of who wins needs of linear algebra.

export const zeros = (rows, columns) => Array.from({ length: rows }, () => new Float64Array(columns));
export const transposed = (a) => Array.from({ length: a[0]?.length ?? 0 }, (_, j) => Float64Array.from(a, (row) => row[j]));
export const dot = (x, y) => x.reduce((sum, value, i) => sum + value * y[i], 0);

/** Return the product of two matrices. */
export function product(a, b) {
  const found = zeros(a.length, b[0]?.length ?? 0);
  a.forEach((row, i) => row.forEach((value, k) => {
    if (value) for (let j = 0; j < found[i].length; j++) found[i][j] += value * b[k][j];
  }));
  return found;
}

/** Return a c a', the covariance of linear forms. */
export const around = (a, c) => product(product(a, c), transposed(a));

/** Return the solution x of a x = b for several columns b, by elimination with pivots. */
export function solved(a, b) {
  const n = a.length, rows = a.map((row, i) => Float64Array.from([...row, ...b[i]]));
  for (let k = 0; k < n; k++) {
    let best = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(rows[i][k]) > Math.abs(rows[best][k])) best = i;
    [rows[k], rows[best]] = [rows[best], rows[k]];
    for (let i = k + 1; i < n; i++) {
      const times = rows[i][k] / rows[k][k];
      if (times) for (let j = k; j < rows[i].length; j++) rows[i][j] -= times * rows[k][j];
    }
  }
  for (let k = n - 1; k >= 0; k--) {
    for (let j = n; j < rows[k].length; j++) {
      let value = rows[k][j];
      for (let i = k + 1; i < n; i++) value -= rows[k][i] * rows[i][j];
      rows[k][j] = value / rows[k][k];
    }
  }
  return rows.map((row) => row.slice(n));
}

/** Return the inverse. */
export const inverse = (a) => solved(a, a.map((_, i) => Float64Array.from(a, (_, j) => (i === j ? 1 : 0))));

/** Return the eigenvalues of a symmetric matrix, the smallest first (Jacobi's rotations). */
export function eigenvalues(symmetric) {
  const a = symmetric.map((row) => Float64Array.from(row)), n = a.length;
  for (let sweep = 0; sweep < 100; sweep++) {
    let off = 0, whole = 0;
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) (i === j ? (whole += a[i][i] ** 2) : (off += a[i][j] ** 2));
    if (off <= 1e-30 * whole) break;
    for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) {
      if (!a[p][q]) continue;
      const theta = (a[q][q] - a[p][p]) / (2 * a[p][q]), t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.hypot(theta, 1));
      const c = 1 / Math.hypot(t, 1), s = t * c;
      for (let k = 0; k < n; k++) [a[k][p], a[k][q]] = [c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]];
      for (let k = 0; k < n; k++) [a[p][k], a[q][k]] = [c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]];
    }
  }
  return Array.from(a, (row, i) => row[i]).sort((x, y) => x - y);
}
