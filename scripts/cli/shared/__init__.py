"""What commands share: `options` (rules, plans, strategies on the command line) and the `progress` line."""
