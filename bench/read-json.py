"""read-json.py DIR: reads every file with Python's json, and prints the CPU seconds it took."""
import json
import os
import sys
import time

start = time.process_time()
for entry in sorted(os.listdir(sys.argv[1])):
    with open(os.path.join(sys.argv[1], entry), 'rb') as file:
        json.loads(file.read())
print(f'{time.process_time() - start:.6f}')
