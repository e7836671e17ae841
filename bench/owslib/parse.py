"""Mean CPU seconds that OWSLib takes to read a WMS capabilities document: parse.py FILE TIMES"""

import sys
import time

from owslib.wms import WebMapService

document = open(sys.argv[1], "rb").read()
times = int(sys.argv[2])


def read():
    service = WebMapService("http://example.org/wms", version="1.3.0", xml=document)
    return len(service.contents)


layers = read()
start = time.process_time()
for _ in range(times):
    read()
print(layers, (time.process_time() - start) / times)
