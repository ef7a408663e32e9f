"""What commands share: `options` (rules, plans, strategies on the command line), the `progress` line, and what Ctrl-C does
(`interrupt`)."""
