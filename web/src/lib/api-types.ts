// Written by `npm run types` from the server's OpenAPI document; not by hand.

export interface paths {
    "/api/v1/account/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change your password
         * @description Ends all your other sessions.
         */
        put: operations["change_password"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your tokens */
        get: operations["tokens"];
        put?: never;
        /** Make a token */
        post: operations["add_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a token */
        delete: operations["remove_token"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your alerts */
        get: operations["list_alerts"];
        put?: never;
        /** Add an alert */
        post: operations["add_alert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove an alert */
        delete: operations["remove_alert"];
        options?: never;
        head?: never;
        /** Change an alert */
        patch: operations["change_alert"];
        trace?: never;
    };
    "/api/v1/alerts/{number}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a trial message now */
        post: operations["try_alert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who did what */
        get: operations["audit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/checks/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One check with its evidence */
        get: operations["one_check"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Collections that the caller may see. */
        get: operations["list_collections"];
        put?: never;
        /** Makes a collection. */
        post: operations["create_collection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collections/{acronym}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One collection. */
        get: operations["one_collection"];
        put?: never;
        post?: never;
        /** Removes a collection with everything that is archived in it. */
        delete: operations["remove_collection"];
        options?: never;
        head?: never;
        /** Changes what a collection is asked to be; members that are not given stay. */
        patch: operations["change_collection"];
        trace?: never;
    };
    "/api/v1/collections/{acronym}/didl": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The complex object of a run, or the latest: MPEG-21 DIDL. */
        get: operations["collection_didl"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collections/{acronym}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All that happened to an item. */
        get: operations["collection_history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collections/{acronym}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Items of a collection as they were at a moment. */
        get: operations["collection_items"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collections/{acronym}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Notes on a collection and its items. */
        get: operations["collection_notes"];
        put?: never;
        /** Adds a note. */
        post: operations["add_collection_note"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collections/{acronym}/ranked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The ranked results of a run as a page, which looks again by itself while the run goes on. */
        get: operations["collection_ranked"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collections/{acronym}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The ranked results of a run, as they grow. */
        get: operations["collection_results"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collections/{acronym}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes another version of an item current. */
        post: operations["rollback_item"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collections/{acronym}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Asks for a run; a worker takes it. */
        post: operations["run_collection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collections/{acronym}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Runs of a collection, newest first. */
        get: operations["collection_runs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/downloads/{format}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All records that a search finds, as a file */
        get: operations["download"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Everything that happens and that the caller may see: `hello`, `find`, `state`, `catalogue`. */
        get: operations["of_all"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/feeds/notices.atom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The same as an Atom feed */
        get: operations["atom"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/feeds/notices.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The same as a JSON feed */
        get: operations["json_feed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/gazetteer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Places by name */
        get: operations["gazetteer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/kinds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Kinds of resources that are found */
        get: operations["kinds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/meta": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the page needs to know of this server */
        get: operations["meta"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitoring": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The schedule of checks at a glance */
        get: operations["monitoring"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Births, deaths and changes */
        get: operations["notices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/oidc/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Back from the operator's provider */
        get: operations["oidc_callback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/oidc/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Log in with the operator's provider */
        get: operations["oidc_start"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What this API can do
         * @description This document: OpenAPI 3.1.
         */
        get: operations["openapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/places": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Hosts of all hits, for the map */
        get: operations["places"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Hosts and how their services do */
        get: operations["providers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/providers/{host}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The report card of a host: what is broken, what is missing, how to mend it */
        get: operations["provider"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/proxy/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Ask a proven service through this server */
        get: operations["proxy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/records/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One record, without its layers */
        get: operations["record"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/records/{id}/badge.svg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The same as a small picture for web pages */
        get: operations["badge_of"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/records/{id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What changed in the description of a record, newest first */
        get: operations["changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/records/{id}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a record now
         * @description The check is made by the monitor, usually within seconds; the result has a higher number than the one before.
         */
        post: operations["check_now"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/records/{id}/checks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Checks of a record, newest first */
        get: operations["checks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/records/{id}/curl": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The requests that prove a record, as curl commands */
        get: operations["curl"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/records/{id}/datasets/{name}/badge.svg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The same as a small picture for web pages */
        get: operations["layer_badge"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/records/{id}/datasets/{name}/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether a layer works */
        get: operations["layer_health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/records/{id}/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether a record works, in a few words for programs */
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/records/{id}/layers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Layers of a record */
        get: operations["layers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/records/{id}/provenance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Evidence, and the chain of pages from the seed */
        get: operations["provenance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/records/{id}/qgis": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A layer definition that QGIS opens */
        get: operations["qgis"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/records/{id}/quality": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How good a record is, with the evidence of every point */
        get: operations["quality"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/records/{id}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tell the operator that something is wrong with a record */
        post: operations["report"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/records/{id}/successors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Records that may have taken the place of one that is gone */
        get: operations["successors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/records/{id}/successors/{other}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide whether a record is the successor of another
         * @description Accepting joins them: the gone one's history, aliases and id are found under the successor.
         */
        post: operations["decide"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/records/{id}/uptime": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Availability and speed over 24 hours, 30 days and a year, and the outages */
        get: operations["uptime"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What people say about records */
        get: operations["reports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/{id}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mark a note as dealt with */
        post: operations["close_report"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The next five moments of a schedule. */
        post: operations["schedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/scoring": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How quality is scored: weights, limits and bands */
        get: operations["scoring"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Search */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/seeds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Stored lists of seeds. */
        get: operations["seeds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who is logged in */
        get: operations["session"];
        put?: never;
        /**
         * Log in
         * @description Sets the cookie of the session. Wrong tries must wait longer and longer.
         */
        post: operations["log_in"];
        /** Log out */
        delete: operations["log_out"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Settings */
        get: operations["settings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change settings
         * @description Values by key; `null` goes back to what the configuration says. All are taken or none.
         */
        patch: operations["change_settings"];
        trace?: never;
    };
    "/api/v1/statistics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Numbers about the whole catalogue. */
        get: operations["all"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/statistics/density": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Services by the place of their host, in cells
         * @description The question is that of a search. Services whose host's place is not known are not counted.
         */
        get: operations["density"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suggest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Suggestions while typing */
        get: operations["suggest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The state of the program */
        get: operations["system"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tasks that the caller may see, newest first. */
        get: operations["list"];
        put?: never;
        /** Makes a task. */
        post: operations["create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One task. */
        get: operations["one"];
        put?: never;
        post?: never;
        /** Removes a task; what it found stays in the catalogue. */
        delete: operations["remove"];
        options?: never;
        head?: never;
        /** Changes what a task is asked to do; members that are not given stay. Not while it runs. */
        patch: operations["change"];
        trace?: never;
    };
    "/api/v1/tasks/{id}/clone": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes a copy of a task, as the caller's own draft. */
        post: operations["clone"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Events of a task as they happen: `hello`, `find`, `state`, `live`. */
        get: operations["of_task"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/events/poll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The same for clients that cannot keep a stream open: waits until something is new. */
        get: operations["poll"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/finds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Finds of the latest run, in the order of finding. */
        get: operations["finds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/focus": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where the latest run looks and why. */
        get: operations["focus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The history of the latest run. */
        get: operations["history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What goes on in the latest run. */
        get: operations["live"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pauses a task; it can go on later. */
        post: operations["pause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lets a paused task go on. */
        post: operations["resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Starts a task: a new run. */
        post: operations["start"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tasks/{id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stops a task for good; its next start is a new run. */
        post: operations["stop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/themes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The vocabularies of themes: their terms with names by language */
        get: operations["themes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** People */
        get: operations["users"];
        put?: never;
        /** Add a person */
        post: operations["add_user"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a person
         * @description Sessions and tokens go too; tasks stay, without owner.
         */
        delete: operations["remove_user"];
        options?: never;
        head?: never;
        /**
         * Change a person
         * @description Disabling or a new password ends all sessions of the person.
         */
        patch: operations["change_user"];
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description Whether it is the successor.
         * @enum {string}
         */
        Action: "accept" | "reject";
        /** @description A person to add. */
        AddPerson: {
            email?: string | null;
            /** Format: int32 */
            max_running?: number | null;
            name: string;
            password: string;
            role: components["schemas"]["Role"];
        };
        /** @description An alert to add, or what to change of one: what is absent stays as it is. */
        AlertSpec: {
            /** @default null */
            active?: boolean | null;
            /** @default null */
            channel?: components["schemas"]["Channel"] | null;
            /** @default null */
            frequency?: components["schemas"]["Frequency"] | null;
            /**
             * @description Names of hosts; with `records` empty too: everything.
             * @default null
             */
            hosts?: string[] | null;
            /** @default null */
            kinds?: components["schemas"]["NoticeKind"][] | null;
            /** @default null */
            name?: string | null;
            /**
             * @description Ids of records.
             * @default null
             */
            records?: string[] | null;
            /**
             * @description Signs webhooks; empty: none. Never shown again.
             * @default null
             */
            secret?: string | null;
            /**
             * @description Address of the webhook, or of the mailbox.
             * @default null
             */
            target?: string | null;
        };
        /** @description An alert, without its secret. */
        AlertView: {
            active: boolean;
            channel: components["schemas"]["Channel"];
            /** Format: date-time */
            created: string;
            frequency: components["schemas"]["Frequency"];
            hosts: string[];
            /** @description Kinds of news; none: all. */
            kinds: components["schemas"]["NoticeKind"][];
            /** Format: date-time */
            last_delivery?: string | null;
            last_error?: string | null;
            name: string;
            /** Format: int64 */
            number: number;
            records: string[];
            /** @description Webhooks are signed. */
            signed: boolean;
            target: string;
        };
        /** @description A person's alerts. */
        Alerts: {
            results: components["schemas"]["AlertView"][];
            /** Format: int64 */
            total: number;
        };
        /** @description An answer, as far as it is kept. */
        Answered: {
            /** Format: int64 */
            bytes: number;
            /** @description SHA-256 (hex) of the bytes as read. */
            hash: string;
            /** @description Headers that tell something, names in lower case. */
            headers?: {
                [key: string]: string;
            };
            ip?: string | null;
            /** @description Redirects on the way: where and with which status. */
            redirects?: [
                number,
                string
            ][];
            /** Format: int32 */
            status: number;
            /** @description The limit, a reset or a timeout ended the body early. */
            truncated?: boolean;
            /** @description The address that answered, after redirects. */
            url: string;
        };
        /** @description A request, exactly. */
        Asked: {
            accept?: string;
            body?: string | null;
            content_type?: string | null;
            /**
             * Format: int64
             * @description Most bytes that were read of the answer.
             */
            limit: number;
            /** @description `GET` or `POST`. */
            method: string;
            /** @description Value of the `Range` header. */
            range?: string | null;
            url: string;
        };
        /** @description A check was asked for. */
        AskedCheck: {
            /** Format: date-time */
            asked: string;
        };
        /** @description A line of the audit log. */
        AuditLine: {
            action: string;
            address?: string | null;
            /** Format: date-time */
            at: string;
            detail: unknown;
            /** Format: int64 */
            seq: number;
            subject: string;
            /** Format: int64 */
            user?: number | null;
            who: string;
        };
        /** @description Lines of the audit log, newest first. */
        AuditLines: {
            results: components["schemas"]["AuditLine"][];
        };
        /** @description A base map of the operator's. */
        BaseMap: {
            attribution: string;
            /** @description `xyz`, `wms` or `wmts`. */
            kind: string;
            /** @description For WMS and WMTS. */
            layer?: string | null;
            title: string;
            url: string;
        };
        /** @description West, south, east, north in degrees; west > east crosses the antimeridian. */
        Bbox: [
            number,
            number,
            number,
            number
        ];
        /** @description A limit of the score. */
        Cap: {
            /** Format: int32 */
            at: number;
            why: string;
        };
        /** @description When a score cannot exceed a value. */
        CapRule: {
            /** Format: int32 */
            at: number;
            /** @description `down`, `failed`, `operation`, `empty`, `tls`. */
            id: string;
            why: string;
        };
        /** @description One step from the seed. */
        ChainLink: {
            url: string;
            way: string;
            words: string;
        };
        /** @description Changes to a person; what is left out stays. */
        ChangePerson: {
            disabled?: boolean | null;
            email?: string | null;
            /**
             * Format: int32
             * @description `null`: as many as the general setting says.
             */
            max_running?: number | null;
            password?: string | null;
            role?: components["schemas"]["Role"] | null;
        };
        /** @description Changes of a description. */
        Changes: {
            results: components["schemas"]["MetadataChange"][];
        };
        /**
         * @description How a person is told.
         * @enum {string}
         */
        Channel: "webhook" | "email";
        /** @description One visit to a resource: every request with what came of it, and the verdict that follows from them. */
        Check: {
            /** Format: date-time */
            at: string;
            /**
             * @description Stable class of the reason, for counting and for tests: `answers`, `slow`, `blank`, `exception`,
             *     `server-error`, `gone`, `login`, `key`, `firewall`, `forbidden`, `rate-limited`, `robots`, `dns`,
             *     `connect`, `tls`, `timeout`, `reset`, `wrong-content`, `malformed`, `too-large`, `moved`, ...
             */
            cause: string;
            facts?: components["schemas"]["Facts"] | null;
            /** @description Kind of the resource. */
            kind: string;
            /** @description In the order they were made; never empty. */
            observations: components["schemas"]["Observation"][];
            /** @description The reason in words, one sentence. */
            reason: string;
            /** @description Its address. */
            url: string;
            /** @description Always what the rules say of the observations. */
            verdict: components["schemas"]["Status"];
        };
        /**
         * @description What went before, as far as score, standing and schedule ask. Stored with every score, so that it can be
         *     computed again.
         */
        CheckHistory: {
            /**
             * Format: int32
             * @description Those of them in which the description was given.
             */
            available: number;
            /**
             * Format: int32
             * @description Checks of the last 30 days that say something about availability (this one included).
             */
            checks: number;
            /** @description Whether it was, for the latest checks, newest first, at most 5. */
            latest: boolean[];
            /**
             * @description Milliseconds of the scored operation (first byte and transfer) in the latest checks that have it, newest
             *     first, at most 5.
             */
            millis: number[];
        };
        /** @description One line of the list of checks. */
        CheckSummary: {
            /** Format: date-time */
            at: string;
            cause: string;
            /** @description Its evidence is still there. */
            kept: boolean;
            /**
             * Format: int32
             * @description Milliseconds of the scored operation.
             */
            millis?: number | null;
            /** Format: int64 */
            number: number;
            reason: string;
            /** Format: int32 */
            score?: number | null;
            verdict: components["schemas"]["Status"];
        };
        /** @description Checks of a record. */
        Checks: {
            results: components["schemas"]["CheckSummary"][];
        };
        /** @description A choice of a person. */
        Choice: {
            /** Format: date-time */
            at: string;
            note: string;
            /**
             * Format: int32
             * @description Which version is current since then.
             */
            version: number;
            /** @description Who chose. */
            who: string;
        };
        /**
         * @description What a person may do with a collection.
         * @enum {string}
         */
        CollectionAction: "run" | "edit" | "rollback" | "delete";
        /** @description Collections. */
        CollectionList: {
            results: components["schemas"]["CollectionView"][];
            /** Format: int64 */
            total: number;
        };
        /** @description What a person asks for. Stored whole, shown as given. */
        CollectionSpec: {
            /**
             * @description Pages that say what it is about; empty: nothing is off topic.
             * @default []
             */
            about?: string[];
            /**
             * Format: double
             * @description Below this aboutness (0 to 1) a result is rejected.
             * @default 0.1
             */
            aboutness?: number;
            /**
             * Format: int32
             * @description Levels of links that are followed from a result.
             * @default 1
             */
            depth?: number;
            /** @default  */
            description?: string;
            /**
             * @description Names of configured engines; empty: none is asked.
             * @default []
             */
            engines?: string[];
            /**
             * Format: double
             * @description Below this likeness (0 to 1) a changed page is a new item, else a modification.
             * @default 0.7
             */
            likeness?: number;
            /**
             * Format: int64
             * @description Bytes of one thing.
             * @default 20971520
             */
            max_bytes?: number;
            /**
             * Format: int32
             * @description Pages and documents of one run.
             * @default 500
             */
            max_pages?: number;
            /**
             * Format: int32
             * @description Images, style sheets and the like of one run.
             * @default 2000
             */
            max_requisites?: number;
            /**
             * Format: int64
             * @description Bytes of one run.
             * @default 1073741824
             */
            max_run_bytes?: number;
            /**
             * @description Pages that belong to it whatever engines say.
             * @default []
             */
            pages?: string[];
            /**
             * @description Everybody may look at it.
             * @default true
             */
            public?: boolean;
            /**
             * @description What search engines are asked; with none, the title and the acronym, as in the paper.
             * @default []
             */
            queries?: string[];
            /**
             * @description Cron text (five fields, UTC) for collections that are run again and again.
             * @default null
             */
            schedule?: string | null;
            /**
             * @description `host`, `domain` or `any`: where followed links may lead.
             * @default domain
             */
            scope?: string;
            /**
             * @description For people.
             * @default
             */
            title?: string;
            /**
             * Format: int32
             * @description Results of each engine that count (`B` of the paper).
             * @default 10
             */
            top?: number;
        };
        /** @description A collection. */
        CollectionView: {
            acronym: string;
            /** Format: date-time */
            created: string;
            /**
             * Format: int64
             * @description Items that are there now.
             */
            items: number;
            last_run?: components["schemas"]["RunView"] | null;
            /** @description What the caller may do. */
            may: components["schemas"]["CollectionAction"][];
            /** @description The caller's own. */
            mine: boolean;
            /** Format: date-time */
            next_run?: string | null;
            /** @description A run waits for a worker. */
            queued: boolean;
            spec: components["schemas"]["CollectionSpec"];
        };
        /** @description One part of the score. */
        Component: {
            /** @description `availability`, `latency`, `capabilities`, `operation`, `metadata`, `standards`. */
            id: string;
            points: components["schemas"]["Point"][];
            /**
             * Format: double
             * @description Share of them, 0 to 1.
             */
            share: number;
            /**
             * Format: double
             * @description Points that can be had.
             */
            weight: number;
        };
        /** @description Whom to ask. */
        Contact: {
            email?: string | null;
            organisation?: string | null;
            person?: string | null;
            phone?: string | null;
            url?: string | null;
        };
        /** @description A point of the score that records of a host miss. */
        CostlyPoint: {
            advice?: string | null;
            /**
             * Format: double
             * @description Points of the score that it costs them together.
             */
            cost: number;
            /**
             * Format: int64
             * @description Records that miss it.
             */
            count: number;
            id: string;
            /** @description Some of them. */
            records: string[];
            what: string;
        };
        /** @description Layer, feature type, coverage, process, offering, ...: the unit people look for. */
        Dataset: {
            abstract?: string | null;
            bbox?: components["schemas"]["Bbox"] | null;
            /** @description At most 200 codes are kept. */
            crs?: string[];
            formats?: string[];
            keywords?: string[];
            name: string;
            /** @description Time extents as the source writes them: instants, intervals `a/b` or `a/b/period`. */
            time?: string[];
            title?: string | null;
        };
        /** @description One day of a record. */
        Day: {
            /** Format: int64 */
            available: number;
            /** Format: int64 */
            checks: number;
            /** @description `2026-11-16` */
            day: string;
            /** Format: int32 */
            p50?: number | null;
        };
        /** @description What a person decides. */
        Decision: {
            action: components["schemas"]["Action"];
        };
        /** @description How many services stand where. */
        Density: {
            /**
             * Format: double
             * @description Side of a cell in degrees.
             */
            cell: number;
            /** @description Longitude and latitude of a cell's middle, and the services on hosts within it; only cells that have any. */
            cells: [
                number,
                number,
                number
            ][];
        };
        /** @description What one depth gave. */
        DepthLevel: {
            /**
             * Format: int32
             * @description Links away from the seed.
             */
            depth: number;
            /** Format: int64 */
            finds: number;
            /** Format: int64 */
            pages: number;
        };
        /** @description A search engine that is configured. */
        EngineInfo: {
            /** @description What it is: `searxng`, `brave`, ... */
            kind: string;
            /**
             * Format: int64
             * @description Questions it may still be asked today; absent where nothing limits them.
             */
            left_today?: number | null;
            /** @description What tasks call it. */
            name: string;
        };
        /** @description An event. */
        EventView: {
            data: Record<string, never>;
            /** @description `find` or `state`. */
            event: string;
            /** Format: int64 */
            seq: number;
        };
        /** @description Why we believe it: enough to repeat and to argue with. */
        Evidence: {
            /** Format: date-time */
            at: string;
            /** Format: int64 */
            bytes: number;
            content_type?: string | null;
            /** @description SHA-256 (hex) of the answer's bytes as read. */
            hash: string;
            /** Format: int32 */
            millis: number;
            range?: string | null;
            /** @description The exact request URL that was answered. */
            request: string;
            /** @description The rule that decided. */
            rule: string;
            /** Format: int32 */
            status: number;
        };
        /**
         * @description What an address is expected to be.
         * @enum {string}
         */
        Expected: "page" | "sitemap" | "service" | "file" | "catalogue";
        /** @description Another way into a service. */
        Face: {
            id: string;
            kind: string;
            url: string;
        };
        /** @description A value of a facet. */
        FacetCount: {
            /** Format: int64 */
            count: number;
            value: string;
        };
        /** @description What a description holds, as far as the score asks: the score needs nothing else of it. */
        Facts: {
            /**
             * Format: int32
             * @description Characters of an abstract that is no default of the software.
             */
            abstract_length: number;
            /** @description The addresses that it gives for requests have its own scheme and host. */
            advertised?: boolean | null;
            /** @description Boxes in the service's own system agree with the geographic ones. */
            axis_order?: boolean | null;
            /**
             * Format: int64
             * @description Size of the description in bytes.
             */
            bytes: number;
            crs_known?: boolean | null;
            /** Format: int64 */
            datasets: number;
            email: boolean;
            /** @description The encoding is declared, and as declared. */
            encoding: boolean;
            /** Format: int32 */
            keywords: number;
            licence: boolean;
            /** @description The media type is right for the document. */
            media_type: boolean;
            /** @description A link to metadata, or a date. */
            metadata_or_date: boolean;
            organisation: boolean;
            /**
             * Format: double
             * @description Share of the datasets with a valid box, 0 to 1.
             */
            placed: number;
            /** @description Of a file: ranges are honoured, its reference system is known. */
            ranges?: boolean | null;
            /** @description Root, namespace and version are as the standard says. */
            right_root: boolean;
            /** @description The title, unless it is a default of the software. */
            title?: string | null;
            /**
             * Format: double
             * @description Share of the datasets whose title is more than their name and no number, 0 to 1.
             */
            titled: number;
            /** @description Every dataset has a name, and no two the same. */
            unique_names: boolean;
            /** @description Ids of points that cannot be told from what was read (`metadata.link`): the score leaves them out. */
            unknown?: string[];
            /** @description The version that was asked for is the one that came. */
            version?: boolean | null;
            /** @description The document is well-formed, strictly. */
            well_formed: boolean;
        };
        /** @description Why there is no answer. */
        Failed: {
            /** @description Class of the failure as the client names it: `dns`, `connect`, `tls`, `timeout`, `reset`, `robots`, ... */
            class: string;
            /** @description One sentence. */
            message: string;
        };
        /**
         * @description A family of kinds.
         * @enum {string}
         */
        Family: "wms" | "features" | "coverage" | "tiles" | "catalogue" | "process" | "sensor" | "arcgis" | "file" | "other";
        /** @description A request of a running task. */
        Fetch: {
            class?: string | null;
            /** Format: int32 */
            millis?: number | null;
            url: string;
        };
        /** @description One thing that changed, readable. */
        FieldChange: {
            /** @description What it is; absent when it is gone. */
            now?: string | null;
            /** @description `title`, `contact.email`, `datasets` (names that came or went), `datasets[roads].title`, ... */
            path: string;
            /** @description What it was; absent when it is new. */
            was?: string | null;
        };
        /** @description A find of a run. */
        Find: components["schemas"]["ShortRecord"] & {
            /**
             * Format: int64
             * @description Its number in the sequence of events.
             */
            seq: number;
        };
        /** @description Finds of the latest run. */
        Finds: {
            /**
             * Format: int64
             * @description Ask again with this as `after` for more; `null` when this was all.
             */
            next?: number | null;
            results: components["schemas"]["Find"][];
        };
        /** @description Where the latest run of a task looks and why. */
        FocusView: {
            depths: components["schemas"]["DepthLevel"][];
            /** @description It goes by what it learns. */
            learns: boolean;
            /** @description What is asked for next, soonest first, a few of what is no page among them; none when the run is over. */
            next: components["schemas"]["NextAddress"][];
            /**
             * Format: int64
             * @description Groups of seeds that were opened so far.
             */
            opened: number;
            /** @description The name of the task's ordering. */
            ordering: string;
            /** @description Telling words of the pages of this run that led to something new. */
            terms: components["schemas"]["TellingTerm"][];
            /** @description Words the ordering goes by, learned in all tasks: those that lead to services, and those that lead away. */
            vocabulary: components["schemas"]["LearnedTerm"][];
            /** @description The latest 200 of them, in order. */
            widths: components["schemas"]["SeedGroup"][];
        };
        /**
         * @description How often.
         * @enum {string}
         */
        Frequency: "immediate" | "daily" | "weekly";
        /** @description Places by that name, the best known first. */
        GazetteerAnswer: {
            places: components["schemas"]["NamedPlace"][];
        };
        /** @description Whether something works, in a few words for programs. */
        Health: {
            /** Format: date-time */
            checked?: string | null;
            id: string;
            kind: string;
            /** @description Of a layer: its name. */
            layer?: string | null;
            reason: string;
            /** Format: int32 */
            score?: number | null;
            status: components["schemas"]["Status"];
            /**
             * Format: double
             * @description Share of the checks of the last 30 days that were answered, 0 to 1.
             */
            uptime_30d?: number | null;
            url: string;
        };
        /** @description The history of the latest run. */
        History: {
            samples: components["schemas"]["Sample"][];
        };
        /** @description All that happened to an item. */
        HistoryView: {
            choices: components["schemas"]["Choice"][];
            /**
             * Format: int32
             * @description The version that is current; none when it is gone.
             */
            current?: number | null;
            role: components["schemas"]["ItemRole"];
            url: string;
            versions: components["schemas"]["VersionView"][];
        };
        /** @description A hit: a service, or (by layers) a layer of it. */
        Hit: {
            /** @description What each signal added to the rank. */
            explanation?: {
                [key: string]: number;
            };
            /** @description By services: the best matching layers, at most 5. By layers: the one. */
            layers: components["schemas"]["LayerHit"][];
            /**
             * Format: int64
             * @description By services: how many layers match.
             */
            layers_matching: number;
            /** @description Words of the question that the record does not have, where hardly any record has all of them. */
            missing?: string[];
            /** Format: float */
            score: number;
            /** @description A piece of the text that matched, marked and escaped like the title. */
            snippet_html: string;
            /** @description Title with hit words between `<mark>` and `</mark>`, all else escaped for HTML. */
            title_html: string;
        };
        /** @description Where it is served from. */
        Host: {
            city?: string | null;
            /** @description ISO 3166 code of the country where it stands, where a database of networks says. */
            country?: string | null;
            ip?: string | null;
            /** Format: double */
            lat?: number | null;
            /** Format: double */
            lon?: number | null;
            name: string;
            precision?: components["schemas"]["Precision"] | null;
        };
        /** @description An outage of a record on a host. */
        HostOutage: {
            /** Format: date-time */
            began: string;
            /** Format: date-time */
            ended?: string | null;
            id: string;
            reason: string;
            title?: string | null;
        };
        /** @description A host of hits. */
        HostPlace: {
            /**
             * Format: int64
             * @description Hits there.
             */
            count: number;
            country?: string | null;
            host: string;
            kinds: {
                [key: string]: number;
            };
            /** Format: double */
            lat: number;
            /** Format: double */
            lon: number;
        };
        /** @description What is broken and missing on a host. */
        HostReport: {
            /** Format: int64 */
            datasets: number;
            host: string;
            /** @description Who offers things there, most records first. */
            organisations: string[];
            /** @description Newest first, at most 50. */
            outages: components["schemas"]["HostOutage"][];
            place?: components["schemas"]["Host"] | null;
            /** @description Most costly first, of the first 200 services. */
            problems: components["schemas"]["CostlyPoint"][];
            /** Format: int64 */
            records: number;
            /** Format: double */
            score?: number | null;
            /** @description Worst first, at most 200. */
            services: components["schemas"]["HostService"][];
            statuses: {
                [key: string]: number;
            };
            /** Format: double */
            uptime_30d?: number | null;
        };
        /** @description A record on a host. */
        HostService: {
            id: string;
            kind: string;
            reason: string;
            /** Format: int32 */
            score?: number | null;
            status: components["schemas"]["Status"];
            title?: string | null;
            url: string;
        };
        /** @description A host and what is there. */
        HostSummary: {
            country?: string | null;
            /** Format: int64 */
            dead: number;
            /** Format: int64 */
            degraded: number;
            host: string;
            /** Format: int64 */
            records: number;
            /**
             * Format: double
             * @description Mean of the scores there.
             */
            score?: number | null;
            statuses: {
                [key: string]: number;
            };
        };
        /** @description How far the search index follows the catalogue. */
        IndexState: {
            /**
             * Format: int64
             * @description Steps of the catalogue's sequence of changes since then.
             */
            behind: number;
            /**
             * Format: int64
             * @description The last change of the catalogue that it has taken in.
             */
            seq: number;
        };
        /** @description Something that is not as it should be, told once, in words. */
        Issue: {
            /** @description Stable id for machines, e.g. `xml-not-well-formed`, `bbox-inverted`. */
            code: string;
            /** @description One sentence for people. */
            message: string;
        };
        /** @description Items at a moment. */
        ItemList: {
            /** Format: date-time */
            as_of: string;
            results: components["schemas"]["ItemView"][];
            /** Format: int64 */
            total: number;
        };
        /**
         * @description What an item is in its collection.
         * @enum {string}
         */
        ItemRole: "result" | "page" | "requisite";
        /** @description An item at a moment. */
        ItemView: {
            /** @description A person chose this version. */
            chosen: boolean;
            /** Format: date-time */
            created: string;
            /** Format: date-time */
            modified?: string | null;
            /** @description Where it is shown again. */
            replay: string;
            role: components["schemas"]["ItemRole"];
            url: string;
            version: components["schemas"]["VersionView"];
            /** Format: double */
            weight: number;
        };
        /** @description A kind of resource. */
        KindView: {
            family: components["schemas"]["Family"];
            id: string;
            name: string;
            what: string;
        };
        /** @description All kinds. */
        Kinds: {
            kinds: components["schemas"]["KindView"][];
        };
        /** @description How long answers took, in milliseconds. */
        Latency: {
            /** Format: int32 */
            p50: number;
            /** Format: int32 */
            p95: number;
        };
        /** @description A matching layer. */
        LayerHit: {
            bbox?: components["schemas"]["Bbox"] | null;
            name: string;
            /** @description Title, marked and escaped. */
            title_html: string;
        };
        /** @description Layers of a service. */
        Layers: {
            results: components["schemas"]["Dataset"][];
            /** Format: int64 */
            total: number;
        };
        /** @description A word that the ordering has learned to go by. */
        LearnedTerm: {
            /**
             * Format: int64
             * @description Pages it was seen with.
             */
            seen: number;
            term: string;
            /**
             * Format: double
             * @description Positive: leads to services; negative: leads away.
             */
            weight: number;
        };
        /** @description Discovery at one depth. */
        Level: {
            /** Format: int32 */
            depth: number;
            /** Format: int64 */
            found: number;
            /** Format: int64 */
            pages: number;
        };
        /** @description What is going on right now in a running task; overwritten about twice a second, never a history. */
        LiveFigures: {
            /** Format: int32 */
            active_hosts: number;
            /** Format: date-time */
            at: string;
            counters: components["schemas"]["TaskTotals"];
            /** @description Latest requests, newest last, at most 30: those without `millis` are being fetched now. */
            fetches: components["schemas"]["Fetch"][];
            /** Format: float */
            finds_per_minute: number;
            /** Format: int32 */
            in_flight: number;
            /** Format: float */
            pages_per_second: number;
            run: components["schemas"]["i64"];
            tallies: components["schemas"]["Tallies"];
        };
        /** @description A name and a password. */
        Login: {
            name: string;
            password: string;
        };
        /** @description A new token. */
        MadeToken: {
            /** @description Shown this once. */
            secret: string;
            token: components["schemas"]["TokenInfo"];
        };
        /** @description The person who is logged in. */
        Me: {
            email?: string | null;
            /** Format: int64 */
            id: number;
            /** Format: int32 */
            max_running?: number | null;
            name: string;
            role: components["schemas"]["Role"];
        };
        /** @description This server. */
        Meta: {
            attributions: string[];
            base_maps: components["schemas"]["BaseMap"][];
            catalogue: components["schemas"]["Totals"];
            /** @description Search engines that a task may ask for seeds. */
            engines: components["schemas"]["EngineInfo"][];
            /** Format: int32 */
            max_running: number;
            oidc?: components["schemas"]["OidcMeta"] | null;
            /** @description How a task may order its pages; the first is the default. */
            orderings: components["schemas"]["OrderingChoice"][];
            /** @description Layers may be seen through this server. */
            proxy: boolean;
            public_url: string;
            title: string;
            version: string;
            /** @description What the operator says to visitors. */
            welcome?: string | null;
        };
        /** @description The description of a record changed. */
        MetadataChange: {
            /** Format: date-time */
            at: string;
            changes: components["schemas"]["FieldChange"][];
        };
        /** @description The schedule at a glance. */
        MonitoringView: {
            /** Format: int64 */
            checks_24h: number;
            /** Format: int64 */
            due: number;
            /**
             * Format: int64
             * @description Records with a place in the schedule.
             */
            enrolled: number;
            /** @description Worst first. */
            hosts: components["schemas"]["HostSummary"][];
            latency?: components["schemas"]["Latency"] | null;
            /** Format: date-time */
            next?: string | null;
            /**
             * Format: int64
             * @description Due for more than an hour.
             */
            overdue: number;
            /** @description The monitor runs in this process. */
            running: boolean;
            statuses: {
                [key: string]: number;
            };
        };
        /** @description Where a record seems to have gone. */
        MovedTo: {
            /**
             * Format: double
             * @description 0 to 1.
             */
            confidence: number;
            /** @description The record there, if there is one. */
            id?: string | null;
            url: string;
        };
        /** @description A place. */
        NamedPlace: {
            /** @description West, south, east, north; around it, not its border. */
            bbox: components["schemas"]["Bbox"];
            /** @description Two letters (ISO 3166). */
            country?: string | null;
            /** @description An `area` is a sea, a continent or mountains. */
            kind: components["schemas"]["PlaceKind"];
            name: string;
            /** @description In which a town is. */
            region?: string | null;
            /** @description The words without the name. */
            rest: string;
        };
        /** @description A new collection. */
        NewCollection: {
            /**
             * @description Pages that say what it is about; empty: nothing is off topic.
             * @default []
             */
            about?: string[];
            /**
             * Format: double
             * @description Below this aboutness (0 to 1) a result is rejected.
             * @default 0.1
             */
            aboutness?: number;
            /** @description 1 to 40 letters, digits, `-` or `_`. */
            acronym: string;
            /**
             * Format: int32
             * @description Levels of links that are followed from a result.
             * @default 1
             */
            depth?: number;
            /** @default  */
            description?: string;
            /**
             * @description Names of configured engines; empty: none is asked.
             * @default []
             */
            engines?: string[];
            /**
             * Format: double
             * @description Below this likeness (0 to 1) a changed page is a new item, else a modification.
             * @default 0.7
             */
            likeness?: number;
            /**
             * Format: int64
             * @description Bytes of one thing.
             * @default 20971520
             */
            max_bytes?: number;
            /**
             * Format: int32
             * @description Pages and documents of one run.
             * @default 500
             */
            max_pages?: number;
            /**
             * Format: int32
             * @description Images, style sheets and the like of one run.
             * @default 2000
             */
            max_requisites?: number;
            /**
             * Format: int64
             * @description Bytes of one run.
             * @default 1073741824
             */
            max_run_bytes?: number;
            /**
             * @description Pages that belong to it whatever engines say.
             * @default []
             */
            pages?: string[];
            /**
             * @description Everybody may look at it.
             * @default true
             */
            public?: boolean;
            /**
             * @description What search engines are asked; with none, the title and the acronym, as in the paper.
             * @default []
             */
            queries?: string[];
            /** @description Run it at once. */
            run?: boolean | null;
            /**
             * @description Cron text (five fields, UTC) for collections that are run again and again.
             * @default null
             */
            schedule?: string | null;
            /**
             * @description `host`, `domain` or `any`: where followed links may lead.
             * @default domain
             */
            scope?: string;
            /**
             * @description For people.
             * @default
             */
            title?: string;
            /**
             * Format: int32
             * @description Results of each engine that count (`B` of the paper).
             * @default 10
             */
            top?: number;
        };
        /** @description A note to be kept. */
        NewNote: {
            text: string;
            url?: string | null;
        };
        /** @description A task to make. */
        NewTask: {
            /** @default null */
            area?: components["schemas"]["Bbox"] | null;
            /**
             * Format: int32
             * @default 2
             */
            depth?: number;
            /**
             * @description Search engines that are asked for seeds with the keywords, by the names of their configuration.
             * @default []
             */
            engines?: string[];
            /**
             * @description What it is about; kept with the task, and used by the orderings that know words.
             * @default []
             */
            keywords?: string[];
            /** @default crawl */
            kind?: components["schemas"]["TaskKind"];
            /**
             * @description Kinds that are wanted; empty: all.
             * @default []
             */
            kinds?: string[];
            /**
             * @description Languages (ISO 639-1) in which engines are asked and pages are followed; empty: all.
             * @default []
             */
            languages?: string[];
            /**
             * Format: int32
             * @description Links of one page that are followed at most; `None`: all.
             * @default null
             */
            links_per_page?: number | null;
            /**
             * @description Stored lists of seeds to start from.
             * @default []
             */
            lists?: string[];
            /**
             * Format: int32
             * @description Minutes after which the task ends.
             * @default null
             */
            max_minutes?: number | null;
            /**
             * Format: int64
             * @default 10000
             */
            max_pages?: number | null;
            /**
             * Format: int64
             * @default null
             */
            max_per_host?: number | null;
            /**
             * @description Name of a frontier ordering.
             * @default learned
             */
            ordering?: string;
            /**
             * Format: int32
             * @description A group of seeds, or a branch of a site, ends after this many pages in a row that gave nothing new; 0: never.
             * @default null
             */
            patience?: number | null;
            /**
             * @description Everybody may look at it.
             * @default false
             */
            public?: boolean;
            /**
             * @description Let a browser look at map applications.
             * @default false
             */
            render?: boolean;
            /**
             * @description Cron text (five fields, UTC) for tasks that repeat.
             * @default null
             */
            schedule?: string | null;
            /**
             * @description `host`, `domain`, `any`.
             * @default domain
             */
            scope?: string;
            /**
             * @description Addresses to start from.
             * @default []
             */
            seeds?: string[];
            /** @description Start it at once. */
            start?: boolean;
            /**
             * @description For people.
             * @default
             */
            title?: string;
            /**
             * Format: int32
             * @description Groups of ten seeds that are opened at most, the best ones first, each when the one before is exhausted;
             *     `None`: all seeds at once.
             * @default null
             */
            width?: number | null;
        };
        /** @description A token to make. */
        NewToken: {
            /**
             * Format: int32
             * @description Days that it lasts; `null`: until it is removed.
             */
            days?: number | null;
            /** @description What it is for, for yourself. */
            name: string;
            /** @description `read`, `download`, `tasks`, `admin` (admins only). */
            scopes: string[];
        };
        /** @description What is new. */
        News: {
            events: components["schemas"]["EventView"][];
            live?: components["schemas"]["LiveFigures"] | null;
            /**
             * Format: int64
             * @description Ask again with this as `after`.
             */
            next: number;
        };
        /** @description An address that is asked for soon. */
        NextAddress: {
            /** Format: int32 */
            depth: number;
            /** @description What is expected there. */
            expected: components["schemas"]["Expected"];
            url: string;
            why: components["schemas"]["PlaceReasons"];
            /** Format: int32 */
            width: number;
        };
        /** @description A note about a record. */
        Note: {
            /** @description What is wrong, in words. */
            text: string;
        };
        /** @description Notes, oldest first. */
        NoteList: {
            results: components["schemas"]["NoteView"][];
        };
        /** @description A note of a person. */
        NoteView: {
            /** Format: date-time */
            at: string;
            text: string;
            /** @description The item; none: the collection. */
            url?: string | null;
            who: string;
        };
        /** @description A note was kept. */
        Noted: {
            /** Format: int64 */
            id: number;
        };
        /** @description A piece of news. */
        Notice: {
            /** Format: date-time */
            at: string;
            /** @description More about it: the changes, the new address. */
            body?: unknown;
            host: string;
            /** @description Public id of the record. */
            id: string;
            kind: components["schemas"]["NoticeKind"];
            reason: string;
            record_kind: string;
            /** Format: int64 */
            seq: number;
            title?: string | null;
            url: string;
        };
        /**
         * @description What a piece of news is about.
         * @enum {string}
         */
        NoticeKind: "born" | "died" | "reborn" | "degraded" | "recovered" | "restricted" | "blocked" | "changed" | "moved";
        /** @description News. */
        NoticeList: {
            results: components["schemas"]["Notice"][];
        };
        /** @description One request of a check and what came of it: enough to repeat it and to argue with it. */
        Observation: {
            answer?: components["schemas"]["Answered"] | null;
            /** @description The dataset that it asked for. */
            dataset?: string | null;
            failure?: components["schemas"]["Failed"] | null;
            /** @description What the answer was. */
            outcome: components["schemas"]["Outcome"];
            phases: components["schemas"]["Phases"];
            purpose: components["schemas"]["Purpose"];
            request: components["schemas"]["Asked"];
            /** @description The same in words: what was seen, not what it means. */
            seen: string;
        };
        /** @description Another provider of logins. */
        OidcMeta: {
            label: string;
        };
        /** @description A way to order the pages of a task. */
        OrderingChoice: {
            /** @description One line for people. */
            about: string;
            /** @description It goes by what it finds. */
            learns: boolean;
            name: string;
        };
        /** @description A time in which a record did not answer. */
        Outage: {
            /** Format: date-time */
            began: string;
            cause: string;
            /** Format: date-time */
            ended?: string | null;
            reason: string;
        };
        /**
         * @description What an answer was. The words are stable.
         * @enum {string}
         */
        Outcome: "valid" | "blank" | "exception" | "wrong-content" | "page" | "malformed" | "login" | "key" | "firewall" | "forbidden" | "rate-limited" | "robots" | "gone" | "client-error" | "server-error" | "dns" | "connect" | "tls" | "timeout" | "reset" | "too-large" | "refused";
        /** @description Whose task it is. */
        Owner: {
            /** Format: int64 */
            id: number;
            name: string;
        };
        /** @description A new password, and the old one to show that it is you. */
        PasswordChange: {
            new: string;
            old: string;
        };
        /** @description People by name. */
        People: {
            results: components["schemas"]["Person"][];
            /** Format: int64 */
            total: number;
        };
        /** @description A person. */
        Person: {
            /** Format: date-time */
            created: string;
            disabled: boolean;
            email?: string | null;
            /** Format: int64 */
            id: number;
            /** @description Issuer that vouches for the person. */
            issuer?: string | null;
            /** Format: date-time */
            last_login?: string | null;
            /** Format: int32 */
            max_running?: number | null;
            name: string;
            role: components["schemas"]["Role"];
        };
        /** @description Where the time went, in milliseconds. */
        Phases: {
            /** Format: int32 */
            connect: number;
            /** Format: int32 */
            dns: number;
            /** Format: int32 */
            first_byte: number;
            /** Format: int32 */
            tls: number;
            /**
             * Format: int32
             * @description All of it, our own waiting not counted.
             */
            total: number;
            /**
             * Format: int32
             * @description Reading the body.
             */
            transfer: number;
        };
        /**
         * @description What a place is.
         * @enum {string}
         */
        PlaceKind: "area" | "country" | "region" | "town";
        /** @description One reason for a place. */
        PlaceReason: {
            /**
             * Format: double
             * @description What it adds to the expectation; its scale is that of the ordering.
             */
            adds: number;
            /** @description A short name: `host`, `words:karten`, `depth`, ... */
            name: string;
            /** @description For people. */
            text: string;
        };
        /** @description Why an address has its place. */
        PlaceReasons: {
            /**
             * Format: double
             * @description New services expected of the request, where the ordering estimates that.
             */
            expects?: number | null;
            /**
             * Format: int32
             * @description Its place in the queue; smaller is sooner.
             */
            place: number;
            /** @description Strongest first. */
            reasons: components["schemas"]["PlaceReason"][];
        };
        /** @description Hosts of all hits. */
        PlacesAnswer: {
            places: components["schemas"]["HostPlace"][];
            /**
             * Format: int64
             * @description Hits whose host's place is not known.
             */
            without_place: number;
        };
        /** @description One point that can be disputed. */
        Point: {
            /** @description How to mend it, when points are missing. */
            advice?: string | null;
            /**
             * Format: double
             * @description Share of the component that was got and could be got.
             */
            got: number;
            /** @description Stable id, e.g. `metadata.abstract`. */
            id: string;
            /** @description The observation that shows it. */
            observation?: number | null;
            /** Format: double */
            of: number;
            /** @description What is asked, in words. */
            what: string;
            /** @description Why, in words: the figures that decided. */
            why: string;
        };
        /**
         * @description How exact a place is.
         * @enum {string}
         */
        Precision: "city" | "region" | "country";
        /** @description A failure as the caller sees it. */
        Problem: {
            /** @description What happened here, and what to do. */
            detail: string;
            /** @description The parameter or member at fault. */
            parameter?: string | null;
            /**
             * Format: int64
             * @description Seconds after which asking again makes sense.
             */
            retry_after?: number | null;
            /** Format: int32 */
            status: number;
            /** @description What kind of failure it is, always the same for one type. */
            title: string;
            /** @description `urn:geotrawl:problem:<code>`; stable. */
            type: string;
        };
        /** @description How it was found. */
        Provenance: {
            /** Format: int32 */
            depth: number;
            /** @description The page that showed it. */
            page: string;
            task: string;
            way: string;
        };
        /** @description How a record was found and proven. */
        ProvenanceAnswer: {
            /** @description One chain of pages for each way it was found, seed first. */
            chains: components["schemas"]["ChainLink"][][];
            evidence: components["schemas"]["Evidence"][];
        };
        /** @description Hosts. */
        Providers: {
            results: components["schemas"]["HostSummary"][];
            /** Format: int64 */
            total: number;
        };
        /**
         * @description Why a request was made.
         * @enum {string}
         */
        Purpose: "description" | "operation" | "refusal";
        /** @description How good a record is, and why. */
        Quality: {
            /**
             * Format: date-time
             * @description A person asked for a check that is not made yet.
             */
            asked?: string | null;
            check?: components["schemas"]["Check"] | null;
            /** @description Each request of the check as a line for the shell. */
            curl: string[];
            history?: components["schemas"]["CheckHistory"] | null;
            id: string;
            /**
             * Format: date-time
             * @description When it is checked next.
             */
            next?: string | null;
            /**
             * Format: int64
             * @description Number of the check; none before the first.
             */
            number?: number | null;
            /** @description It has a place in the schedule. */
            scheduled: boolean;
            score?: components["schemas"]["Score"] | null;
            standing?: components["schemas"]["Standing"] | null;
        };
        /** @description One resource, as everybody outside sees it. */
        Record: components["schemas"]["Resource"] & {
            aliases: string[];
            /**
             * Format: date-time
             * @description When it was last checked.
             */
            checked?: string | null;
            /** @description Other faces of the same service: other kinds under a like address. */
            faces?: components["schemas"]["Face"][];
            /** Format: date-time */
            first_seen: string;
            host: components["schemas"]["Host"];
            id: string;
            /** Format: date-time */
            last_ok?: string | null;
            /** Format: date-time */
            last_seen: string;
            /** @description Addresses of what was merged into it. */
            moved_from?: string[];
            moved_to?: components["schemas"]["MovedTo"] | null;
            provenance: components["schemas"]["Provenance"][];
            /** @description There is too little history to be sure of the score. */
            provisional?: boolean;
            reason?: string;
            /**
             * Format: int32
             * @description Quality from 0 to 100, where it was scored.
             */
            score?: number | null;
            /**
             * @description Points by component of the score: `availability`, `latency`, `capabilities`, `operation`, `metadata`,
             *     `standards`.
             */
            score_points?: {
                [key: string]: number;
            };
            status: components["schemas"]["Status"];
            themes?: components["schemas"]["Theme"][];
        };
        /** @description A record with the name of its kind. */
        RecordAnswer: components["schemas"]["Record"] & {
            kind_name: string;
        };
        /** @description A note about a record. */
        ReportLine: {
            /** Format: date-time */
            at: string;
            closed: boolean;
            /** Format: int64 */
            id: number;
            record: string;
            text: string;
            /** Format: int64 */
            user?: number | null;
        };
        /** @description Notes about records, newest first. */
        Reports: {
            results: components["schemas"]["ReportLine"][];
        };
        /**
         * @description A service or a file: one thing on the web that gives geospatial data.
         *
         *     Identity is `kind` + `url`; the store adds id, aliases, times, status and provenance.
         */
        Resource: {
            abstract?: string | null;
            bbox?: components["schemas"]["Bbox"] | null;
            contact?: components["schemas"]["Contact"];
            crs?: string[];
            /**
             * Format: int64
             * @description How many datasets it offers; may exceed `datasets.len()` where only a count is known.
             */
            dataset_count: number;
            formats?: string[];
            /** @description What was odd about it: never fatal, always said. */
            issues?: components["schemas"]["Issue"][];
            keywords?: string[];
            /** @description Kind id, e.g. `wms` . */
            kind: string;
            languages?: string[];
            /** @description Licence, fees and access constraints as stated; "none" in its many spellings is dropped. */
            licence?: string | null;
            /** @description Organisation that offers it. */
            provider?: string | null;
            /** @description Server software where it shows itself, e.g. `GeoServer`, `MapServer 8.0`. */
            software?: string | null;
            title?: string | null;
            /** @description Canonical endpoint without request parameters (vendor parameters kept); for files the file's URL. */
            url: string;
            /** @description Versions seen or advertised, e.g. `1.3.0`. */
            versions?: string[];
        };
        /** @description The ranked list of a run. */
        ResultList: {
            results: components["schemas"]["ResultView"][];
            run?: components["schemas"]["RunView"] | null;
        };
        /** @description Which engine named a result, and where. */
        ResultPlace: {
            engine: string;
            query: string;
            /** Format: int32 */
            rank: number;
        };
        /** @description A result of a run. */
        ResultView: {
            /** Format: double */
            about?: number | null;
            named: components["schemas"]["ResultPlace"][];
            reason?: string | null;
            /** @description `html`, `document` or empty as long as it is not known. */
            sort: string;
            /** @description `waiting`, `kept`, `rejected`, `failed`, `gone`. */
            state: string;
            title: string;
            url: string;
            /**
             * Format: double
             * @description Sum over the engines of `B - rank + 1`.
             */
            weight: number;
        };
        /**
         * @description What a person may do.
         * @enum {string}
         */
        Role: "user" | "admin";
        /** @description Which version should be current. */
        Rollback: {
            /** @description Why. */
            note?: string;
            url: string;
            /** Format: int32 */
            version: number;
        };
        /** @description Everything that turns a check into a score. */
        Rubric: {
            /** @description Bands for people, worst first. */
            bands: string[];
            caps: components["schemas"]["CapRule"][];
            /**
             * Format: int32
             * @description Checks below which a score is provisional.
             */
            provisional_below: number;
            /** @description Version. */
            rubric: string;
            /** @description One row for every family of kinds; a kind stands in exactly one. */
            weights: components["schemas"]["Weights"][];
        };
        /** @description Runs, newest first. */
        RunList: {
            results: components["schemas"]["RunView"][];
        };
        /**
         * @description How far a run is.
         * @enum {string}
         */
        RunState: "running" | "finished" | "failed";
        /** @description What a run did. */
        RunView: {
            /**
             * Format: date-time
             * @description Its timestamp: the second part of the object's identifier.
             */
            at: string;
            /** Format: int64 */
            bytes: number;
            /** Format: int64 */
            deleted: number;
            /** Format: date-time */
            ended?: string | null;
            error?: string | null;
            /** Format: int64 */
            failed: number;
            /** Format: int64 */
            fetched: number;
            /** Format: int64 */
            modified: number;
            /** Format: int64 */
            new: number;
            /** Format: int64 */
            rejected: number;
            /** Format: int64 */
            results: number;
            state: components["schemas"]["RunState"];
            /** Format: int64 */
            unchanged: number;
        };
        /** @description A point of a run's history. */
        Sample: {
            /** Format: date-time */
            at: string;
            /** Format: int64 */
            bytes: number;
            /** Format: int64 */
            failures: number;
            /** Format: int64 */
            pages: number;
            /** Format: int64 */
            pending: number;
            /** Format: int64 */
            probes: number;
            /** Format: int64 */
            resources: number;
        };
        /** @description The next moments of a schedule. */
        ScheduleMoments: {
            next: string[];
        };
        /** @description A schedule to look at. */
        ScheduleText: {
            text: string;
        };
        /** @description A vocabulary. */
        Scheme: {
            /** @description What labels name it by: `inspire`. */
            id: string;
            /** @description Where it is kept. */
            source?: string | null;
            terms: components["schemas"]["Term"][];
            /** @description Its name in English, where it has one. */
            title: string;
            /** @description Its name by language. */
            titles: {
                [key: string]: string;
            };
        };
        /** @description All vocabularies. */
        Schemes: {
            schemes: components["schemas"]["Scheme"][];
        };
        /** @description Quality from 0 to 100 with everything that it is made of. */
        Score: {
            cap?: components["schemas"]["Cap"] | null;
            components: components["schemas"]["Component"][];
            /** @description There is too little history to be sure. */
            provisional: boolean;
            /** @description Version of the rubric. */
            rubric: string;
            /**
             * Format: int32
             * @description Absent when it was never reached or is restricted.
             */
            value?: number | null;
        };
        /** @description An answer to a search. */
        SearchAnswer: {
            /**
             * Format: int64
             * @description How many of them have all words, where others are given too because hardly anything has all.
             */
            complete?: number | null;
            /** @description What was found is what that spelling finds: nothing has a word as it was written. */
            corrected: boolean;
            /** @description A spelling that finds more. */
            did_you_mean?: string | null;
            /** @description Facet, then its values with counts. Counts of a facet leave that facet's own filter out. */
            facets: {
                [key: string]: components["schemas"]["FacetCount"][];
            };
            results: components["schemas"]["SearchResult"][];
            /** Format: double */
            took_ms: number;
            /** Format: int64 */
            total: number;
        };
        /** @description A record and why it was found. */
        SearchResult: components["schemas"]["Record"] & {
            hit: components["schemas"]["Hit"];
        };
        /** @description A group of seeds of a run. A run whose seeds are not grouped has one. */
        SeedGroup: {
            /**
             * Format: date-time
             * @description When it ended; absent while it is open.
             */
            ended?: string | null;
            /**
             * Format: int64
             * @description Resources proven for the first time in the run.
             */
            finds: number;
            /** @description It ended by the stop rule: what is pending of it is closed unread. */
            given_up: boolean;
            /** Format: date-time */
            opened: string;
            /**
             * Format: int64
             * @description Pages requested.
             */
            pages: number;
            /**
             * Format: int64
             * @description Seeds it was opened with.
             */
            seeds: number;
            /** @description Why it ended, for people: one sentence. */
            why?: string | null;
            /**
             * Format: int32
             * @description From 1.
             */
            width: number;
        };
        /** @description A stored list of seeds. */
        SeedList: {
            /** Format: date-time */
            imported: string;
            name: string;
            /** Format: int64 */
            seeds: number;
            /** @description Where it came from, and whom to credit. */
            source: string;
        };
        /** @description Stored lists of seeds. */
        SeedLists: {
            results: components["schemas"]["SeedList"][];
        };
        /** @description Who is logged in, and what the page needs to ask in their name. */
        SessionState: {
            /** @description For the header `X-CSRF-Token` of every change; `null` for guests and tokens. */
            csrf?: string | null;
            /** Format: int32 */
            max_running?: number | null;
            /**
             * Format: int64
             * @description Tasks of the person that run now, and how many may; `null`: any number, as for those who administer.
             */
            running: number;
            user?: components["schemas"]["Me"] | null;
        };
        /** @description Settings in force. */
        Settings: {
            base_maps: components["schemas"]["BaseMap"][];
            /**
             * Format: int32
             * @description Requests a minute for one address without login, and for one person.
             */
            guest_rate: number;
            /**
             * Format: int32
             * @description Tasks of one person that run at once.
             */
            max_running: number;
            /** @description Let people see layers through this server. */
            proxy: boolean;
            title: string;
            /** Format: int32 */
            user_rate: number;
            /** @description What the first page says to everybody. */
            welcome?: string | null;
        };
        /** @description Settings in force, and which of them admins set. */
        SettingsState: {
            /** @description Keys that are set here; the others are as the configuration says. */
            changed: string[];
            settings: components["schemas"]["Settings"];
        };
        /** @description A find as watchers see it: the body of `find` events. */
        ShortRecord: {
            bbox?: components["schemas"]["Bbox"] | null;
            /** Format: int64 */
            dataset_count: number;
            /** Format: int32 */
            depth: number;
            host: components["schemas"]["Host"];
            id: string;
            kind: string;
            /** @description The page that showed it. */
            page: string;
            status: components["schemas"]["Status"];
            title?: string | null;
            url: string;
        };
        /** @description Where a resource stands. */
        Standing: {
            cause: string;
            /** Format: date-time */
            checked: string;
            /**
             * Format: int32
             * @description Among `failures`, those that found it dead.
             */
            deaths: number;
            /** Format: date-time */
            failing_since?: string | null;
            /**
             * Format: int32
             * @description Checks in a row in which it did not answer, and when they began.
             */
            failures: number;
            /** Format: date-time */
            last_ok?: string | null;
            /**
             * Format: int32
             * @description Checks in a row that were not good.
             */
            not_good: number;
            reason: string;
            /** Format: int32 */
            repeated: number;
            /** Format: date-time */
            repeated_since: string | null;
            /**
             * Format: date-time
             * @description Since when it stands so.
             */
            since: string;
            status: components["schemas"]["Status"];
            /**
             * Format: int32
             * @description Checks in a row in which it answered as it should.
             */
            successes: number;
            /** @description The status that was told last. */
            told: components["schemas"]["Status"];
            /** @description When it last changed between working and not, newest first, at most 10. */
            turns: string[];
            /** @description Verdict of the latest check, how many in a row had it, and since when. */
            verdict: components["schemas"]["Status"];
        };
        /** @description Numbers about the whole catalogue. */
        StatisticsView: {
            /** @description ISO code of the host's country, then kind. */
            countries: {
                [key: string]: {
                    [key: string]: number;
                };
            };
            /** Format: int64 */
            datasets: number;
            /** @description Day, and records known at its end. */
            growth: [
                string,
                number
            ][];
            /** Format: int64 */
            hosts: number;
            kinds: {
                [key: string]: number;
            };
            languages: {
                [key: string]: number;
            };
            levels: components["schemas"]["Level"][];
            /** Format: int64 */
            pages: number;
            /** Format: int64 */
            records: number;
            software: {
                [key: string]: number;
            };
            statuses: {
                [key: string]: number;
            };
            themes: {
                [key: string]: number;
            };
        };
        /**
         * @description Whether a resource works, as far as we know.
         * @enum {string}
         */
        Status: "alive" | "degraded" | "dead" | "restricted" | "blocked" | "inconclusive" | "unchecked";
        /** @description Another record that may have taken the place of a dead one. */
        Successor: {
            /**
             * Format: double
             * @description 0 to 1.
             */
            confidence: number;
            evidence: string[];
            id: string;
            kind: string;
            state: components["schemas"]["SuccessorState"];
            status: components["schemas"]["Status"];
            title?: string | null;
            url: string;
        };
        /**
         * @description What people made of a proposed successor.
         * @enum {string}
         */
        SuccessorState: "proposed" | "accepted" | "rejected";
        /** @description Possible successors. */
        Successors: {
            results: components["schemas"]["Successor"][];
        };
        /** @description What may be typed next. */
        Suggestion: {
            /** Format: int64 */
            count: number;
            /** @description `title`, `word`, `keyword`, `provider`. */
            kind: string;
            text: string;
        };
        /** @description What a person may be about to type. */
        Suggestions: {
            suggestions: components["schemas"]["Suggestion"][];
        };
        /** @description The state of the program. */
        SystemState: {
            index: components["schemas"]["IndexState"];
            /**
             * Format: int64
             * @description Tasks that run now.
             */
            running: number;
            /** Format: date-time */
            started?: string | null;
            /** Format: int64 */
            store_bytes: number;
            version: string;
            /**
             * Format: int64
             * @description Streams of events that are open now.
             */
            watchers: number;
        };
        /** @description Sums of a run by what they are of. */
        Tallies: {
            /** @description Resources proven at each depth. */
            finds_by_depth: {
                [key: string]: number;
            };
            kinds: {
                [key: string]: number;
            };
            /** @description Outcomes of requests by class. */
            outcomes: {
                [key: string]: number;
            };
            /** @description Pages read at each depth. */
            pages_by_depth: {
                [key: string]: number;
            };
        };
        /** @description A task. */
        Task: {
            /** @description Totals of the latest run. */
            counters: components["schemas"]["TaskTotals"];
            /** Format: date-time */
            created: string;
            /** Format: date-time */
            ended?: string | null;
            error?: string | null;
            /** Format: int64 */
            id: number;
            /** @description What the caller may do with it now. */
            may: components["schemas"]["TaskAction"][];
            /** @description It is the caller's own. */
            mine: boolean;
            name: string;
            /** Format: date-time */
            next_run?: string | null;
            owner?: components["schemas"]["Owner"] | null;
            /** Format: int64 */
            run?: number | null;
            spec: components["schemas"]["TaskSpec"];
            /** Format: date-time */
            started?: string | null;
            state: components["schemas"]["TaskState"];
        };
        /**
         * @description What a person may do with a task.
         * @enum {string}
         */
        TaskAction: "start" | "pause" | "resume" | "stop" | "edit" | "delete" | "clone";
        /**
         * @description What a task does.
         * @enum {string}
         */
        TaskKind: "crawl" | "harvest";
        /** @description Tasks of a list. */
        TaskList: {
            results: components["schemas"]["Task"][];
            /** Format: int64 */
            total: number;
        };
        /** @description What a person asks for. Stored whole, shown and cloned as given. */
        TaskSpec: {
            /** @default null */
            area?: components["schemas"]["Bbox"] | null;
            /**
             * Format: int32
             * @default 2
             */
            depth?: number;
            /**
             * @description Search engines that are asked for seeds with the keywords, by the names of their configuration.
             * @default []
             */
            engines?: string[];
            /**
             * @description What it is about; kept with the task, and used by the orderings that know words.
             * @default []
             */
            keywords?: string[];
            /** @default crawl */
            kind?: components["schemas"]["TaskKind"];
            /**
             * @description Kinds that are wanted; empty: all.
             * @default []
             */
            kinds?: string[];
            /**
             * @description Languages (ISO 639-1) in which engines are asked and pages are followed; empty: all.
             * @default []
             */
            languages?: string[];
            /**
             * Format: int32
             * @description Links of one page that are followed at most; `None`: all.
             * @default null
             */
            links_per_page?: number | null;
            /**
             * @description Stored lists of seeds to start from.
             * @default []
             */
            lists?: string[];
            /**
             * Format: int32
             * @description Minutes after which the task ends.
             * @default null
             */
            max_minutes?: number | null;
            /**
             * Format: int64
             * @default 10000
             */
            max_pages?: number | null;
            /**
             * Format: int64
             * @default null
             */
            max_per_host?: number | null;
            /**
             * @description Name of a frontier ordering.
             * @default learned
             */
            ordering?: string;
            /**
             * Format: int32
             * @description A group of seeds, or a branch of a site, ends after this many pages in a row that gave nothing new; 0: never.
             * @default null
             */
            patience?: number | null;
            /**
             * @description Everybody may look at it.
             * @default false
             */
            public?: boolean;
            /**
             * @description Let a browser look at map applications.
             * @default false
             */
            render?: boolean;
            /**
             * @description Cron text (five fields, UTC) for tasks that repeat.
             * @default null
             */
            schedule?: string | null;
            /**
             * @description `host`, `domain`, `any`.
             * @default domain
             */
            scope?: string;
            /**
             * @description Addresses to start from.
             * @default []
             */
            seeds?: string[];
            /**
             * @description For people.
             * @default
             */
            title?: string;
            /**
             * Format: int32
             * @description Groups of ten seeds that are opened at most, the best ones first, each when the one before is exhausted;
             *     `None`: all seeds at once.
             * @default null
             */
            width?: number | null;
        };
        /**
         * @description State of a task.
         * @enum {string}
         */
        TaskState: "draft" | "queued" | "running" | "pausing" | "paused" | "stopping" | "stopped" | "finished" | "failed";
        /** @description Totals of a run. */
        TaskTotals: {
            /** Format: int64 */
            bytes: number;
            /** Format: int64 */
            failures: number;
            /** Format: int64 */
            hosts: number;
            /**
             * Format: int64
             * @description Known URLs.
             */
            known: number;
            /**
             * Format: int64
             * @description Pages requested (robots.txt not counted).
             */
            pages: number;
            /** Format: int64 */
            pending: number;
            /** Format: int64 */
            probes: number;
            /**
             * Format: int64
             * @description Distinct resources proven in this run.
             */
            resources: number;
            /** Format: int64 */
            skipped: number;
        };
        /** @description A word of pages that led to something new. */
        TellingTerm: {
            /**
             * Format: int64
             * @description Pages of the run with this word (in the title, or on the link that led there) that led to something new.
             */
            gained: number;
            /**
             * Format: int64
             * @description Pages of the run with this word.
             */
            seen: number;
            term: string;
        };
        /** @description A term of a vocabulary. */
        Term: {
            /** @description What labels name it by: `hy`. */
            id: string;
            /** @description Its name by language. */
            label: {
                [key: string]: string;
            };
            /** @description The term above it. */
            parent?: string | null;
            /** @description Its address. */
            uri?: string | null;
        };
        /** @description What it is about, by a scheme of themes. */
        Theme: {
            evidence: string;
            scheme: string;
            term: string;
        };
        /** @description A key for programs, without its secret. */
        TokenInfo: {
            /** Format: date-time */
            created: string;
            /** Format: date-time */
            expires?: string | null;
            /** Format: int64 */
            id: number;
            /** Format: date-time */
            last_used?: string | null;
            name: string;
            /** @description `read`, `download`, `tasks`, `admin`. */
            scopes: string[];
        };
        /** @description A person's tokens. */
        Tokens: {
            results: components["schemas"]["TokenInfo"][];
            /** Format: int64 */
            total: number;
        };
        /** @description How much there is. */
        Totals: {
            /** Format: int64 */
            datasets: number;
            /** Format: int64 */
            hosts: number;
            /** Format: int64 */
            records: number;
        };
        /** @description What came of a trial. */
        Trial: {
            delivered: boolean;
            /** @description Why not. */
            error?: string | null;
        };
        /** @description Availability and speed. */
        Uptime: {
            /** @description Oldest first, days without a check left out. */
            days: components["schemas"]["Day"][];
            /** @description Newest first. */
            outages: components["schemas"]["Outage"][];
            /** @description `24h`, `30d`, `1y`. */
            windows: {
                [key: string]: components["schemas"]["Window"];
            };
        };
        /**
         * @description What a visit found.
         * @enum {string}
         */
        VersionKind: "new" | "modified" | "unchanged" | "deleted";
        /** @description A version of an item. */
        VersionView: {
            /** Format: double */
            about?: number | null;
            /** Format: date-time */
            at: string;
            /** Format: int64 */
            bytes: number;
            final_url?: string | null;
            kind: components["schemas"]["VersionKind"];
            /** Format: double */
            likeness?: number | null;
            media_type: string;
            /** @description What it says about itself. */
            metadata: Record<string, never>;
            /** Format: int32 */
            number: number;
            sha256: string;
            /** Format: int32 */
            status: number;
            title: string;
            /** @description Where it is in the WARC files. */
            warc: string;
        };
        /** @description What the components weigh for some kinds; they add up to 100. */
        Weights: {
            /** Format: double */
            availability: number;
            /** Format: double */
            capabilities: number;
            kinds: string[];
            /** Format: double */
            latency: number;
            /** Format: double */
            metadata: number;
            /** Format: double */
            operation: number;
            /** @description What the scored operation is. */
            operation_name: string;
            /**
             * Format: double
             * @description Limit of the class for the scored operation; a tenth of it earns full marks.
             */
            seconds: number;
            /** Format: double */
            standards: number;
        };
        /** @description Availability and speed over a time. */
        Window: {
            /** Format: int64 */
            available: number;
            /**
             * Format: int64
             * @description Checks that say something about availability.
             */
            checks: number;
            /** Format: int32 */
            p50?: number | null;
            /** Format: int32 */
            p95?: number | null;
            /** Format: int32 */
            p99?: number | null;
            /**
             * Format: double
             * @description From 0 to 1.
             */
            share?: number | null;
        };
        /** Format: int64 */
        i64: number;
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    change_password: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordChange"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The old password is wrong */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    tokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tokens"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    add_token: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewToken"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MadeToken"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    remove_token: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_alerts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alerts"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    add_alert: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlertSpec"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertView"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    remove_alert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Number of an alert */
                number: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    change_alert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Number of an alert */
                number: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlertSpec"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertView"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    try_alert: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Number of an alert */
                number: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trial"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    audit: {
        parameters: {
            query?: {
                /** @description Before this number; 0: the newest. */
                before?: number;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditLines"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    one_check: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Number of a check */
                number: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Quality"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_collections: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionList"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_collection: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCollection"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionView"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    one_collection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                acronym: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionView"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    remove_collection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                acronym: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    change_collection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                acronym: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CollectionSpec"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionView"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    collection_didl: {
        parameters: {
            query?: {
                /** @description Its timestamp; absent: the latest. */
                run?: string;
            };
            header?: never;
            path: {
                acronym: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": string;
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    collection_history: {
        parameters: {
            query: {
                /** @description Its address. */
                url: string;
            };
            header?: never;
            path: {
                acronym: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryView"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    collection_items: {
        parameters: {
            query?: {
                /** @description As they were at this moment; absent: now. */
                as_of?: string;
                offset?: number;
                limit?: number;
            };
            header?: never;
            path: {
                acronym: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ItemList"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    collection_notes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                acronym: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoteList"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    add_collection_note: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                acronym: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewNote"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoteList"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    collection_ranked: {
        parameters: {
            query?: {
                /** @description Its timestamp; absent: the latest. */
                run?: string;
            };
            header?: never;
            path: {
                acronym: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    collection_results: {
        parameters: {
            query?: {
                /** @description Its timestamp; absent: the latest. */
                run?: string;
            };
            header?: never;
            path: {
                acronym: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResultList"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rollback_item: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                acronym: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Rollback"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryView"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    run_collection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                acronym: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionView"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    collection_runs: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                acronym: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunList"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    download: {
        parameters: {
            query?: {
                /** @description Words; phrases in quotes, `wat*`, `roda~`, AND OR NOT, parentheses, `title:`, `provider:` and other fields. */
                q?: string;
                /**
                 * @description Box `west,south,east,north` in degrees; west > east crosses the antimeridian.
                 * @example 5,45,11,48
                 */
                bbox?: string;
                /** @description How the record's box must lie to `bbox`: `overlaps` (default), `contains` or `within`. */
                relation?: "overlaps" | "contains" | "within";
                /** @description The record's time must reach this date or moment. */
                from?: string;
                /** @description The record's time must begin before this date or moment. */
                to?: string;
                /** @description Search services (default) or layers. */
                by?: "services" | "layers";
                /** @description Order: `best` (default), `newest`, `title`, `quality`. */
                sort?: "best" | "newest" | "title" | "quality";
                /** @description Statuses wanted (several: repeat or separate by commas), or `any`; default: what is usable. */
                status?: string[];
                /** @description Kinds wanted (repeat or separate by commas). */
                kind?: string[];
                /** @description Themes wanted (repeat or separate by commas). */
                theme?: string[];
                /** @description Countries of the host, ISO codes (repeat or separate by commas). */
                country?: string[];
                /** @description Providers wanted (repeat). */
                provider?: string[];
                /** @description `76-100`, `51-75`, `26-50`, `0-25`, `unscored` (repeat or separate by commas). */
                quality?: string[];
                /** @description Licences wanted (repeat). */
                licence?: string[];
                /** @description Coordinate systems wanted (repeat or separate by commas). */
                crs?: string[];
                /** @description Languages wanted (repeat or separate by commas). */
                language?: string[];
            };
            header?: never;
            path: {
                /** @description csv, geojson, gpkg, geoparquet, jsonl, qgis, terria or xlsx */
                format: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    of_all: {
        parameters: {
            query?: {
                /** @description Number of the last event that the caller has; the header `Last-Event-ID` goes before. */
                after?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    atom: {
        parameters: {
            query?: {
                /** @description Only after this number, oldest first; without it the newest come first. */
                after?: number;
                /** @description Only before this number. */
                before?: number;
                /** @description Only of these kinds (repeat). */
                kind?: components["schemas"]["NoticeKind"][];
                /** @description Only of this host. */
                host?: string;
                /** @description Only of this record. */
                record?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/atom+xml": string;
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    json_feed: {
        parameters: {
            query?: {
                /** @description Only after this number, oldest first; without it the newest come first. */
                after?: number;
                /** @description Only before this number. */
                before?: number;
                /** @description Only of these kinds (repeat). */
                kind?: components["schemas"]["NoticeKind"][];
                /** @description Only of this host. */
                host?: string;
                /** @description Only of this record. */
                record?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/feed+json": Record<string, never>;
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    gazetteer: {
        parameters: {
            query?: {
                /** @description A name, or words with a name in them. */
                q?: string;
                /** @description How the words are meant. */
                as?: "typed" | "said";
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GazetteerAnswer"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    kinds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Kinds"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    meta: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Meta"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    monitoring: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitoringView"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    notices: {
        parameters: {
            query?: {
                /** @description Only after this number, oldest first; without it the newest come first. */
                after?: number;
                /** @description Only before this number. */
                before?: number;
                /** @description Only of these kinds (repeat). */
                kind?: components["schemas"]["NoticeKind"][];
                /** @description Only of this host. */
                host?: string;
                /** @description Only of this record. */
                record?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoticeList"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    oidc_callback: {
        parameters: {
            query?: {
                state?: string;
                code?: string;
                error?: string;
                iss?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Logged in; to the page asked for */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    oidc_start: {
        parameters: {
            query?: {
                /** @description A path of this application. */
                back?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To the provider */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    openapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The OpenAPI document */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    places: {
        parameters: {
            query?: {
                /** @description Words; phrases in quotes, `wat*`, `roda~`, AND OR NOT, parentheses, `title:`, `provider:` and other fields. */
                q?: string;
                /**
                 * @description Box `west,south,east,north` in degrees; west > east crosses the antimeridian.
                 * @example 5,45,11,48
                 */
                bbox?: string;
                /** @description How the record's box must lie to `bbox`: `overlaps` (default), `contains` or `within`. */
                relation?: "overlaps" | "contains" | "within";
                /** @description The record's time must reach this date or moment. */
                from?: string;
                /** @description The record's time must begin before this date or moment. */
                to?: string;
                /** @description Search services (default) or layers. */
                by?: "services" | "layers";
                /** @description Order: `best` (default), `newest`, `title`, `quality`. */
                sort?: "best" | "newest" | "title" | "quality";
                /** @description Statuses wanted (several: repeat or separate by commas), or `any`; default: what is usable. */
                status?: string[];
                /** @description Kinds wanted (repeat or separate by commas). */
                kind?: string[];
                /** @description Themes wanted (repeat or separate by commas). */
                theme?: string[];
                /** @description Countries of the host, ISO codes (repeat or separate by commas). */
                country?: string[];
                /** @description Providers wanted (repeat). */
                provider?: string[];
                /** @description `76-100`, `51-75`, `26-50`, `0-25`, `unscored` (repeat or separate by commas). */
                quality?: string[];
                /** @description Licences wanted (repeat). */
                licence?: string[];
                /** @description Coordinate systems wanted (repeat or separate by commas). */
                crs?: string[];
                /** @description Languages wanted (repeat or separate by commas). */
                language?: string[];
                /** @description Hosts at most. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlacesAnswer"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    providers: {
        parameters: {
            query?: {
                /** @description Words of the name. */
                q?: string;
                sort?: "records" | "dead" | "score";
                offset?: number;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Providers"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    provider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of a host */
                host: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostReport"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    proxy: {
        parameters: {
            query: {
                /** @description Whole address, below the record's endpoint. */
                url: string;
            };
            header?: never;
            path: {
                /** @description Id of a record */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the service sent */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The part of it that was asked for */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    record: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a record */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordAnswer"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    badge_of: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a record */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changes: {
        parameters: {
            query?: {
                limit?: number;
                /** @description Only those before this number. */
                before?: number;
            };
            header?: never;
            path: {
                /** @description Id of a record */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Changes"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    check_now: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a record */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AskedCheck"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    checks: {
        parameters: {
            query?: {
                limit?: number;
                /** @description Only those before this number. */
                before?: number;
            };
            header?: never;
            path: {
                /** @description Id of a record */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Checks"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    curl: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a record */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    layer_badge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a record */
                id: string;
                /** @description Name of a layer */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    layer_health: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a record */
                id: string;
                /** @description Name of a layer */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    health: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a record */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    layers: {
        parameters: {
            query?: {
                /** @description Only layers that match these words. */
                q?: string;
                limit?: number;
                offset?: number;
            };
            header?: never;
            path: {
                /** @description Id of a record */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Layers"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    provenance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a record */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProvenanceAnswer"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    qgis: {
        parameters: {
            query?: {
                /** @description Names of layers (repeat); none: all, at most 200. */
                layer?: string[];
            };
            header?: never;
            path: {
                /** @description Id of a record */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-qgis-layer-definition": string;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    quality: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a record */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Quality"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    report: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a record */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Note"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Noted"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    successors: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a record */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Successors"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    decide: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the record that is gone */
                id: string;
                /** @description Id of its successor */
                other: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Decision"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    uptime: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a record */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Uptime"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reports: {
        parameters: {
            query?: {
                /** @description Also those that were dealt with. */
                all?: boolean;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reports"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    close_report: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    schedule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScheduleText"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleMoments"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    scoring: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rubric"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    search: {
        parameters: {
            query?: {
                /** @description Words; phrases in quotes, `wat*`, `roda~`, AND OR NOT, parentheses, `title:`, `provider:` and other fields. */
                q?: string;
                /**
                 * @description Box `west,south,east,north` in degrees; west > east crosses the antimeridian.
                 * @example 5,45,11,48
                 */
                bbox?: string;
                /** @description How the record's box must lie to `bbox`: `overlaps` (default), `contains` or `within`. */
                relation?: "overlaps" | "contains" | "within";
                /** @description The record's time must reach this date or moment. */
                from?: string;
                /** @description The record's time must begin before this date or moment. */
                to?: string;
                /** @description Search services (default) or layers. */
                by?: "services" | "layers";
                /** @description Order: `best` (default), `newest`, `title`, `quality`. */
                sort?: "best" | "newest" | "title" | "quality";
                /** @description Statuses wanted (several: repeat or separate by commas), or `any`; default: what is usable. */
                status?: string[];
                /** @description Kinds wanted (repeat or separate by commas). */
                kind?: string[];
                /** @description Themes wanted (repeat or separate by commas). */
                theme?: string[];
                /** @description Countries of the host, ISO codes (repeat or separate by commas). */
                country?: string[];
                /** @description Providers wanted (repeat). */
                provider?: string[];
                /** @description `76-100`, `51-75`, `26-50`, `0-25`, `unscored` (repeat or separate by commas). */
                quality?: string[];
                /** @description Licences wanted (repeat). */
                licence?: string[];
                /** @description Coordinate systems wanted (repeat or separate by commas). */
                crs?: string[];
                /** @description Languages wanted (repeat or separate by commas). */
                language?: string[];
                /** @description Results on this page; 0 gives the total and facets only. */
                limit?: number;
                /** @description Number of results to skip. */
                offset?: number;
                /** @description Count the facets. */
                facets?: boolean;
                /** @description Say what each signal gave to the rank. */
                explain?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchAnswer"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    seeds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SeedLists"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionState"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    log_in: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Login"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionState"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    log_out: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    settings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsState"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    change_settings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsState"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    all: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatisticsView"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    density: {
        parameters: {
            query?: {
                /** @description Words; phrases in quotes, `wat*`, `roda~`, AND OR NOT, parentheses, `title:`, `provider:` and other fields. */
                q?: string;
                /**
                 * @description Box `west,south,east,north` in degrees; west > east crosses the antimeridian.
                 * @example 5,45,11,48
                 */
                bbox?: string;
                /** @description How the record's box must lie to `bbox`: `overlaps` (default), `contains` or `within`. */
                relation?: "overlaps" | "contains" | "within";
                /** @description The record's time must reach this date or moment. */
                from?: string;
                /** @description The record's time must begin before this date or moment. */
                to?: string;
                /** @description Search services (default) or layers. */
                by?: "services" | "layers";
                /** @description Order: `best` (default), `newest`, `title`, `quality`. */
                sort?: "best" | "newest" | "title" | "quality";
                /** @description Statuses wanted (several: repeat or separate by commas), or `any`; default: what is usable. */
                status?: string[];
                /** @description Kinds wanted (repeat or separate by commas). */
                kind?: string[];
                /** @description Themes wanted (repeat or separate by commas). */
                theme?: string[];
                /** @description Countries of the host, ISO codes (repeat or separate by commas). */
                country?: string[];
                /** @description Providers wanted (repeat). */
                provider?: string[];
                /** @description `76-100`, `51-75`, `26-50`, `0-25`, `unscored` (repeat or separate by commas). */
                quality?: string[];
                /** @description Licences wanted (repeat). */
                licence?: string[];
                /** @description Coordinate systems wanted (repeat or separate by commas). */
                crs?: string[];
                /** @description Languages wanted (repeat or separate by commas). */
                language?: string[];
                /** @description Side of a cell in degrees. */
                cell?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Density"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    suggest: {
        parameters: {
            query?: {
                q?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Suggestions"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    system: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SystemState"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list: {
        parameters: {
            query?: {
                /** @description Only the caller's own. */
                mine?: boolean;
                /** @description States, separated by commas. */
                state?: string;
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskList"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTask"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    one: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    remove: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    change: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TaskSpec"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    clone: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    of_task: {
        parameters: {
            query?: {
                /** @description Number of the last event that the caller has; the header `Last-Event-ID` goes before. */
                after?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    poll: {
        parameters: {
            query?: {
                /** @description Number of the last event that the caller has. */
                after?: number;
                /** @description Seconds to wait for something new. */
                wait?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["News"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    finds: {
        parameters: {
            query?: {
                /** @description Number of the last one that the caller has. */
                after?: number;
                limit?: number;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Finds"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    focus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FocusView"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    history: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    live: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiveFigures"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pause: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resume: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    start: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    stop: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    themes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schemes"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    users: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["People"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    add_user: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddPerson"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Person"];
                };
            };
            /** @description The name is taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    remove_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The last admin */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    change_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePerson"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Person"];
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The last admin */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Refused or failed; `status` says how. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
