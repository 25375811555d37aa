#!/usr/bin/env python3
"""read-log.py FILE: a log of fio through pandas, only the columns that matter and with their types given; prints the CPU
seconds from after the import."""
import resource
import sys

import pandas


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


start = cpu_seconds()
log = pandas.read_csv(sys.argv[1], header=None, usecols=[1, 2], names=['value', 'ddir'], dtype={'value': 'uint64', 'ddir': 'uint8'},
                      skipinitialspace=True, engine='c')
ops = log.groupby('ddir')['value']
print(ops.agg(['count', 'mean', 'min', 'max']), ops.quantile([0.5, 0.9, 0.99, 0.999]), file=sys.stderr)
print(f'{cpu_seconds() - start:.6f}')
