"""Scrapy on the bench's site: follows every link from one address until nothing new is left.

    crawl.py URL CONFIGURATION

CONFIGURATION is one of:
    default   Scrapy as it comes (its middlewares and extensions), 32 requests at once
    stripped  without any middleware and extension, 16 requests at once
    asyncio   stripped, and without Twisted's reactor (aiohttp downloads)

All run on uvloop, find links by XPath (quicker than LinkExtractor) and leave robots.txt and delays out:
what is compared is the work for a page.
"""

import sys

from scrapy import Request, Spider
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.settings import default_settings


class FollowEverything(Spider):
    name = "bench"

    async def start(self):
        yield Request(self.seed)

    def parse(self, response):
        for href in response.xpath("//a/@href").getall():
            yield Request(response.urljoin(href))


def settings(configuration):
    chosen = {
        "ASYNCIO_EVENT_LOOP": "uvloop.Loop",
        "LOG_ENABLED": False,
        "ROBOTSTXT_OBEY": False,
        "DOWNLOAD_DELAY": 0,
        "TELNETCONSOLE_ENABLED": False,
    }
    if configuration == "default":
        return chosen | {"CONCURRENT_REQUESTS": 32, "CONCURRENT_REQUESTS_PER_DOMAIN": 32}
    for group in ("DOWNLOADER_MIDDLEWARES", "SPIDER_MIDDLEWARES", "EXTENSIONS"):
        chosen[group] = dict.fromkeys(getattr(default_settings, f"{group}_BASE"))
    chosen |= {"CONCURRENT_REQUESTS": 16, "CONCURRENT_REQUESTS_PER_DOMAIN": 16}
    return chosen | {"TWISTED_REACTOR_ENABLED": configuration != "asyncio"}


def main():
    url, configuration = sys.argv[1:]
    if configuration not in ("default", "stripped", "asyncio"):
        sys.exit(f"no such configuration: {configuration}")
    process = AsyncCrawlerProcess(settings(configuration))
    process.crawl(FollowEverything, seed=url)
    process.start()


main()
