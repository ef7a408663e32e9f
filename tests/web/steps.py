"""Steps in the page: open it, fill in the form, play, wait, and look for what is hard to see."""

import os
import time
from importlib import resources, util
from pathlib import Path

LAYOUT = (Path(__file__).parents[1] / "analysis" / "layout.js").read_text("utf-8")
AXE = resources.files("axe_core_python") / "axe.min.js" if util.find_spec("axe_core_python") else None
PICTURES = os.environ.get("NEWDAWN_PICTURES")  # a folder: the steps of the walk are kept there
OVER = "return document.querySelector('#along pre') !== null && !document.getElementById('play').hidden"


def until(browser, script, seconds=30):
    """Wait until a script returns something; return that."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = browser.execute_script(script)
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"{script}: {browser.get_log('browser')}")


def open_page(browser, address, question="", workers=2):
    """Open the page as somebody does who was never here."""
    browser.get("about:blank")
    browser.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": address.rstrip("/"), "storageTypes": "all"})
    again(browser, f"{address}?workers={workers}{question}")


def again(browser, link):
    browser.get("about:blank")
    browser.get(link)
    until(browser, "return document.getElementById('play') || document.querySelector('#wrong p')")


def text(browser, place):
    return browser.execute_script("return document.getElementById(arguments[0]).innerText.trim()", place)


def click(browser, place):
    browser.find_element("id", place).click()


def put(browser, place, value):
    browser.execute_script(
        "const field = document.getElementById(arguments[0]); field.value = arguments[1]; "
        "field.dispatchEvent(new Event('change'));", place, str(value),
    )  # fmt: skip


def play(browser, games=None):
    if games is not None:
        put(browser, "games", games)
    click(browser, "play")
    until(browser, OVER)


LOOKS = ((390, "light"), (1024, "light"), (1400, "light"), (1400, "dark"))


def faults(browser, looks=LOOKS):
    """Return what axe finds, and what is cut, pale or overlaps at several widths, by day and by night."""
    found = []
    for width, theme in looks:
        size(browser, width, theme)
        time.sleep(0.25)
        limits = f"const SMALLEST = 8, NEARLY = {72 if width > 600 else 0}, FILL = .8, PALEST = 4.5;"
        found += [f"{width} {theme}: {fault}" for fault in browser.execute_script(limits + LAYOUT)]
        if AXE is not None:
            browser.execute_script(AXE.read_text("utf-8"))
            told = "const done = arguments[0]; axe.run({resultTypes: ['violations']}).then(({violations}) => "
            told += "done(violations.map(one => `${one.id}: ${one.nodes.map(node => node.html.slice(0, 80)).join(' ')}`)));"
            found += [f"{width} {theme}: {fault}" for fault in browser.execute_async_script(told)]
    size(browser, 1400)
    return found


def size(browser, width, theme="light", height=1000):
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    features = [{"name": "prefers-color-scheme", "value": theme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    browser.execute_script("dispatchEvent(new Event('resize'))")


def change(browser, key, value, column="A"):
    """Type a value into a field of the house rules that were searched for; `column`: the variant."""
    place = f"key-{key}" if column == "A" else f"key-{column}-{key}"
    browser.execute_script(
        "const field = document.getElementById(arguments[0]); field.value = arguments[1]; "
        "field.dispatchEvent(new Event('input'));", place, str(value),
    )  # fmt: skip
