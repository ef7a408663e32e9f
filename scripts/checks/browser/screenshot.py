"""Take a picture of the first screen of a page: python -m newdawn.scripts.checks.browser.screenshot PAGE FILE.png.

docs/report.png, which the README shows, is the first screen of the report that its first commands write.
"""

from __future__ import annotations

from pathlib import Path

import click

from .chromium import CHROMIUM, DRIVER, opened


@click.command()
@click.argument("page", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--width", type=click.IntRange(200), default=1200, show_default=True)
@click.option("--height", type=click.IntRange(200), default=760, show_default=True)
def main(page: Path, file: Path, width: int, height: int) -> None:
    """Write the first screen of an HTML page, as wide and as high as a window, as a PNG file."""
    if not (CHROMIUM and DRIVER):
        raise click.UsageError("there is no Chromium with its driver here")
    with opened() as driver:
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        driver.get(page.resolve().as_uri())
        driver.save_screenshot(str(file))


if __name__ == "__main__":
    main()
