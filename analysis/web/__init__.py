"""The lab in a page: the engine as WebAssembly, and the page that asks it.

`words` is what the page says and counts with; `static` the page itself, which `static/page.js` starts."""
