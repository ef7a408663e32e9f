"""`newdawn strategies`: what can be named on the command line."""

from __future__ import annotations

import click


@click.command()
def strategies() -> None:
    """List the strategies that --strategies and --strategy-pool take."""
    from strategies.registry import DEFAULT, STRATEGIES

    width = max(len(strategy.name) for strategy in STRATEGIES)
    for strategy in STRATEGIES:
        default = " (default)" if strategy.name == DEFAULT else ""
        click.echo(f"{strategy.name:<{width}}  {strategy.description}{default}")
