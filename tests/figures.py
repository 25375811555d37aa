"""figures: key figures read by eye from raw files, and whether rows of `assay results` have them.

A table is tab-separated with a line of column names: tool test params metric stat value unit, and where one table
serves many files, file and text. An empty test or params fits any; params are the terms that a row must have among
its own. value is in the base unit; empty: no row that fits may have a value; !x: none may have the value x.
Lines that begin with # are comments, but `#as FORMAT<TAB>…` is a figure to be read with --as FORMAT.
"""
import csv
import io
import math
import re

COLUMNS = ('tool', 'test', 'params', 'metric', 'stat', 'value', 'unit')
NUMBER = re.compile(r'[-+]?(?:\d[\d,]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?')
TERM = re.compile(r'([^\s=]+)=(?:"([^"]*)"|(\S*))')


def rows_of(text):
    """The rows of CSV output as dicts."""
    return list(csv.DictReader(io.StringIO(text, newline='')))


def terms(params):
    return {key: quoted or plain for key, quoted, plain in TERM.findall(params or '')}


def table(path, columns=COLUMNS):
    """Yields (line number, figure); a figure has the key `as` where it names a format."""
    with open(path, encoding='utf-8') as lines:
        for number, line in enumerate(lines, 1):
            line, form = line.rstrip('\r\n'), ''
            if line.startswith('#as '):
                form, line = line[4:].split('\t', 1)
            if not line.strip() or line.startswith('#'):
                continue
            cells = line.split('\t')
            if 'metric' in cells and 'stat' in cells:
                columns = cells
                continue
            figure = dict.fromkeys(COLUMNS + ('file', 'text'), '')
            figure.update(zip(columns, (cell.strip() for cell in cells)))
            figure['as'] = form
            yield number, figure


def plain(text):
    return ' '.join((text or '').split()).lower()


def same_value(have, want):
    try:
        return math.isclose(float(have), float(want), rel_tol=1e-9, abs_tol=1e-12)
    except ValueError:
        return have.lower() == want.lower()


def fits(row, figure):
    """Whether a row is about the same thing as a figure; says nothing about the value."""
    if plain(row['tool']) != plain(figure['tool']) or row['metric'] != figure['metric']:
        return False
    if figure['stat'] != '*' and row['stat'] != figure['stat']:
        return False
    if figure['test'] and plain(row['test']) != plain(figure['test']):
        return False
    have = terms(row['params'])
    return all(key in have and same_value(have[key], value) for key, value in terms(figure['params']).items())


def rounding(value, text):
    """Half a unit of the last printed digit of text, carried over to the base unit of value."""
    found = NUMBER.search(text or '')
    if not found or not value:
        return 0.0
    mantissa, _, exponent = found.group().replace(',', '').lower().partition('e')
    shown = abs(float(found.group().replace(',', '')))
    decimals = len(mantissa.partition('.')[2])
    step = 10.0 ** (int(exponent or 0) - decimals)
    return 0.5 * step * abs(value) / shown if shown else 0.0


def close(row, figure, value):
    if not row['value'] or (figure['unit'] and row['unit'] != figure['unit']):
        return False
    have = float(row['value'])
    allowed = max(1e-6 * abs(value), rounding(value, figure['text'] or row['text']) * (1 + 1e-9), 1e-15)
    return abs(have - value) <= allowed


def is_trap(figure):
    return not figure['value'] or figure['value'].startswith('!')


def holds(rows, figure):
    """None when the rows have the figure, else a sentence."""
    found = [row for row in rows if fits(row, figure)]
    label = ' '.join(filter(None, (figure[key] for key in ('tool', 'test', 'params', 'metric', 'stat'))))
    if not figure['value']:
        bad = [row for row in found if row['value']]
        return f'{label}: no value may be reported, got {bad[0]["value"]} {bad[0]["unit"]}' if bad else None
    if figure['value'].startswith('!'):
        value = float(figure['value'][1:])
        bad = any(row['value'] and math.isclose(float(row['value']), value, rel_tol=1e-6) for row in found)
        return f'{label}: must not be {value:g}' if bad else None
    value = float(figure['value'])
    if any(close(row, figure, value) for row in found):
        return None
    got = ', '.join(f'{row["value"] or "no value"} {row["unit"]}' for row in found[:3]) or 'no such row'
    return f'{label} = {figure["value"]} {figure["unit"]}: got {got}'


def shown_at(text, line):
    """Whether the number of a row's text stands in the line (bytes), as a whole and not as a part of another."""
    found = NUMBER.search(text)
    token = (found.group() if found else text.strip()).encode()
    start = line.find(token)
    while start >= 0:
        before, after = line[start - 1:start], line[start + len(token):start + len(token) + 2]
        whole = not before.isdigit() and before != b'.' or before == b''
        if whole and not after[:1].isdigit() and not (after[:1] == b'.' and after[1:].isdigit()):
            return True
        start = line.find(token, start + 1)
    return False
