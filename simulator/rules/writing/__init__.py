"""What helps to write house rules: `search` (words of this and of other games) -> `keys` (that they may name) -> `schema`
(their files, for editors) -> `template` (one to start from).
"""
