"""What pages are made of.

report_parts (a subject each: table, columns, charts, findings), screen_parts (the first screen: verdicts, steps), cells
(figures as text), chart_messages, chart_svg, sentences (about tables of tests), plots (every picture)
"""
