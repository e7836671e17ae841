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
        /** Create a token */
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
        /** Create an alert */
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
        /** Send a test message */
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
        /** Audit log */
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
        /** A check with its evidence */
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
        /** List the collections that the caller may see */
        get: operations["list_collections"];
        put?: never;
        /** Create a collection */
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
        /** Get a collection */
        get: operations["one_collection"];
        put?: never;
        post?: never;
        /** Delete a collection with everything archived in it */
        delete: operations["remove_collection"];
        options?: never;
        head?: never;
        /** Change the specification of a collection; absent members stay as they are */
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
        /** Get the complex object of a run (default: the latest) as MPEG-21 DIDL */
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
        /** Get the history of an item */
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
        /** List the items of a collection as of a given time */
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
        /** List the notes on a collection and its items */
        get: operations["collection_notes"];
        put?: never;
        /** Add a note */
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
        /** Ranked results of a run as an HTML page that reloads itself while the run continues */
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
        /** List the ranked results of a run, also while it is running */
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
        /** Make another version of an item current */
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
        /** Request a run, which a worker will execute */
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
        /** List the runs of a collection, newest first */
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
        /** Download all records of a search */
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
        /** Stream all events that the caller may see: `hello`, `find`, `state`, `catalogue` */
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
        /** Notifications as an Atom feed */
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
        /** Notifications as a JSON feed */
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
        /** Search places by name */
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
        /** Kinds of resources that can be found */
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
        /** Information about this server */
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
        /** Overview of the check schedule */
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
        /** List notifications: new, dead and changed records */
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
        /** Callback of the OpenID Connect provider */
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
        /** Log in with OpenID Connect */
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
         * OpenAPI document
         * @description This document, in OpenAPI 3.1.
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
        /** Host locations of all hits, for the map */
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
        /** List hosts with the state of their services */
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
        /** Report card of a host: what is broken, what is missing and how to fix it */
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
        /** Request a known service through this server */
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
        /** Get a record, without its layers */
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
        /** Health of a record as an SVG badge */
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
        /** Changes in the description of a record, newest first */
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
         * @description The monitor makes the check, usually within seconds; the result has a higher number than the
         *     previous one.
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
        /** The requests that identified a record, as curl commands */
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
        /** Health of a layer as an SVG badge */
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
        /** Health of a layer */
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
        /** Health of a record, in brief for programs */
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
        /** List the layers of a record */
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
        /** Evidence of a record, and the chain of pages from the seed */
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
        /** Layer definition file for QGIS */
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
        /** Quality of a record, with the evidence for every point */
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
        /** Report a problem with a record to the operator */
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
        /** Records that may have replaced a record that is gone */
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
         * Accept or reject a successor
         * @description Accepting merges them: history, aliases and id of the gone record move to the successor.
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
        /** Availability and response time over 24 hours, 30 days and a year, and outages */
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
        /** Reports about records */
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
        /** Close a report */
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
        /** Compute the next five times of a schedule */
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
        /** The scoring rubric: weights, limits and bands */
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
        /** List the stored seed lists */
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
        /** Current session */
        get: operations["session"];
        put?: never;
        /**
         * Log in
         * @description Sets the session cookie. Repeated failures lead to increasing waiting times.
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
        /** Current settings */
        get: operations["settings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change settings
         * @description Values by key; `null` restores the value from the configuration. Either all changes are applied
         *     or none.
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
        /** Statistics of the whole catalogue */
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
         * Number of services by host location, on a grid
         * @description Takes the filters of a search. Services with unknown host location are not counted.
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
        /** State of the server */
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
        /** List the tasks that the caller may see, newest first */
        get: operations["list"];
        put?: never;
        /** Create a task */
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
        /** Get a task */
        get: operations["one"];
        put?: never;
        post?: never;
        /** Delete a task; what it found stays in the catalogue */
        delete: operations["remove"];
        options?: never;
        head?: never;
        /** Change a task that is not running; absent members stay as they are */
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
        /** Copy a task as the caller's own draft */
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
        /** Stream the events of a task: `hello`, `find`, `state`, `live` */
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
        /** Wait for new events, for clients that cannot keep a stream open */
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
        /** List the finds of the latest run, oldest first */
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
        /** What the latest run visits next and why */
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
        /** History of the latest run */
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
        /** Live figures of the latest run */
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
        /** Pause a task; it can be resumed later */
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
        /** Resume a paused task */
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
        /** Start a new run of a task */
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
        /** Stop a task for good; the next start is a new run */
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
        /** Vocabularies with their terms and names by language */
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
        /** List users */
        get: operations["users"];
        put?: never;
        /** Create a user */
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
         * Remove a user
         * @description Removes sessions and tokens too; tasks stay, without an owner.
         */
        delete: operations["remove_user"];
        options?: never;
        head?: never;
        /**
         * Change a user
         * @description Disabling the user or setting a new password ends all sessions of the user.
         */
        patch: operations["change_user"];
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A user to create. */
        AddPerson: {
            email?: string | null;
            /** Format: int32 */
            max_running?: number | null;
            name: string;
            password: string;
            role: components["schemas"]["Role"];
        };
        /** @description An alert to create, or the changes to one: absent members stay as they are. */
        AlertSpec: {
            /** @default null */
            active?: boolean | null;
            /** @default null */
            channel?: components["schemas"]["Channel"] | null;
            /** @default null */
            frequency?: components["schemas"]["Frequency"] | null;
            /**
             * @description Host names; if `hosts` and `records` are both empty, everything.
             * @default null
             */
            hosts?: string[] | null;
            /** @default null */
            kinds?: components["schemas"]["NoticeKind"][] | null;
            /** @default null */
            name?: string | null;
            /**
             * @description Record ids.
             * @default null
             */
            records?: string[] | null;
            /**
             * @description Key that signs webhooks; empty: none. Never shown again.
             * @default null
             */
            secret?: string | null;
            /**
             * @description Address of the webhook, or e-mail address.
             * @default null
             */
            target?: string | null;
        };
        /** @description Result of a test message. */
        AlertTestResult: {
            delivered: boolean;
            /** @description Why the message was not delivered. */
            error?: string | null;
        };
        /** @description An alert, without its secret. */
        AlertView: {
            active: boolean;
            channel: components["schemas"]["Channel"];
            /** Format: date-time */
            created: string;
            frequency: components["schemas"]["Frequency"];
            hosts: string[];
            /** @description Kinds of notifications; empty: all. */
            kinds: components["schemas"]["NoticeKind"][];
            /** Format: date-time */
            last_delivery?: string | null;
            last_error?: string | null;
            name: string;
            /** Format: int64 */
            number: number;
            records: string[];
            /** @description Whether webhooks are signed. */
            signed: boolean;
            target: string;
        };
        /** @description The alerts of a user. */
        Alerts: {
            results: components["schemas"]["AlertView"][];
            /** Format: int64 */
            total: number;
        };
        /** @description A requested check. */
        AskedCheck: {
            /** Format: date-time */
            asked: string;
        };
        /** @description An entry of the audit log. */
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
        /** @description Entries of the audit log, newest first. */
        AuditLines: {
            results: components["schemas"]["AuditLine"][];
        };
        /** @description A base map added by the operator. */
        BaseMap: {
            attribution: string;
            /** @description `xyz`, `wms` or `wmts`. */
            kind: string;
            /** @description Layer name, for WMS and WMTS. */
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
        /** @description An upper limit of the score. */
        Cap: {
            /** Format: int32 */
            at: number;
            why: string;
        };
        /** @description Condition under which the score cannot exceed a value. */
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
        /** @description Changes to a user; absent members stay as they are. */
        ChangePerson: {
            disabled?: boolean | null;
            email?: string | null;
            /**
             * Format: int32
             * @description `null`: the general limit.
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
         * @description How an alert is delivered.
         * @enum {string}
         */
        Channel: "webhook" | "email";
        /** @description One test of a resource: every request with its result, and the verdict that follows from them. */
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
            /** @description In the order of the requests; never empty. */
            observations: components["schemas"]["Observation"][];
            /** @description The reason in one sentence. */
            reason: string;
            /** @description Its address. */
            url: string;
            /** @description Derived from the observations alone. */
            verdict: components["schemas"]["Status"];
        };
        /** @description Why there is no answer. */
        CheckFailure: {
            /**
             * @description Failure class as the client names it: `dns`, `connect`, `tls`, `timeout`, `reset`, `robots`,
             *     ...
             */
            class: string;
            /** @description One sentence. */
            message: string;
        };
        /**
         * @description Earlier checks, as far as score, status and schedule need them. Stored with every score, so that
         *     the score can be recomputed.
         */
        CheckHistory: {
            /**
             * Format: int32
             * @description Those in which the description was returned.
             */
            available: number;
            /**
             * Format: int32
             * @description Checks of the last 30 days that indicate availability, including this one.
             */
            checks: number;
            /** @description Whether the description was returned in the latest checks, newest first, at most 5. */
            latest: boolean[];
            /**
             * @description Duration of the scored operation (first byte and transfer) in milliseconds, for the latest
             *     checks that include it, newest first, at most 5.
             */
            millis: number[];
        };
        /** @description A request exactly as it was sent. */
        CheckRequest: {
            accept?: string;
            body?: string | null;
            content_type?: string | null;
            /**
             * Format: int64
             * @description Maximum number of bytes to read of the answer.
             */
            limit: number;
            /** @description `GET` or `POST`. */
            method: string;
            /** @description Value of the `Range` header. */
            range?: string | null;
            url: string;
        };
        /** @description The stored part of an answer. */
        CheckResponse: {
            /** Format: int64 */
            bytes: number;
            /** @description SHA-256 (hex) of the bytes that were read. */
            hash: string;
            /** @description Headers kept as evidence, names in lower case. */
            headers?: {
                [key: string]: string;
            };
            ip?: string | null;
            /** @description Redirects that were followed: status and target. */
            redirects?: [
                number,
                string
            ][];
            /** Format: int32 */
            status: number;
            /** @description Whether the limit, a reset or a timeout cut the body short. */
            truncated?: boolean;
            /** @description The address that answered, after redirects. */
            url: string;
        };
        /** @description One entry of the list of checks. */
        CheckSummary: {
            /** Format: date-time */
            at: string;
            cause: string;
            /** @description Whether the evidence is still stored. */
            kept: boolean;
            /**
             * Format: int32
             * @description Duration of the scored operation in milliseconds.
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
        /**
         * @description An action on a collection.
         * @enum {string}
         */
        CollectionAction: "run" | "edit" | "rollback" | "delete";
        /** @description Collections. */
        CollectionList: {
            results: components["schemas"]["CollectionView"][];
            /** Format: int64 */
            total: number;
        };
        /** @description Settings of a collection, stored and shown unchanged. */
        CollectionSpec: {
            /**
             * @description Pages that describe the subject; if empty, no page is off topic.
             * @default []
             */
            about?: string[];
            /**
             * Format: double
             * @description Relevance (0 to 1) below which a result is rejected.
             * @default 0.1
             */
            aboutness?: number;
            /**
             * Format: int32
             * @description Levels of links to follow from a result.
             * @default 1
             */
            depth?: number;
            /** @default  */
            description?: string;
            /**
             * @description Names of configured search engines; empty to query none.
             * @default []
             */
            engines?: string[];
            /**
             * Format: double
             * @description Similarity (0 to 1) below which a changed page counts as a new one.
             * @default 0.7
             */
            likeness?: number;
            /**
             * Format: int64
             * @description Maximum number of bytes per page or file.
             * @default 20971520
             */
            max_bytes?: number;
            /**
             * Format: int32
             * @description Maximum number of pages and documents per run.
             * @default 500
             */
            max_pages?: number;
            /**
             * Format: int32
             * @description Maximum number of embedded files (images, style sheets and the like) per run.
             * @default 2000
             */
            max_requisites?: number;
            /**
             * Format: int64
             * @description Maximum number of bytes per run.
             * @default 1073741824
             */
            max_run_bytes?: number;
            /**
             * @description Pages that are always archived, whatever the search engines return.
             * @default []
             */
            pages?: string[];
            /**
             * @description Whether everyone may view it.
             * @default true
             */
            public?: boolean;
            /**
             * @description Search engine queries; if empty, title and acronym are searched for, as in the paper.
             * @default []
             */
            queries?: string[];
            /**
             * @description Cron expression (five fields, UTC) for repeated runs.
             * @default null
             */
            schedule?: string | null;
            /**
             * @description Where followed links may lead: `host`, `domain` or `any`.
             * @default domain
             */
            scope?: string;
            /**
             * @description Display title.
             * @default
             */
            title?: string;
            /**
             * Format: int32
             * @description Number of results to use per engine (`B` in the paper).
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
             * @description Number of current items.
             */
            items: number;
            last_run?: components["schemas"]["RunView"] | null;
            /** @description Actions available to the caller. */
            may: components["schemas"]["CollectionAction"][];
            /** @description Whether the caller owns it. */
            mine: boolean;
            /** Format: date-time */
            next_run?: string | null;
            /** @description Whether a run is waiting for a worker. */
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
             * @description Share of the points that was reached, 0 to 1.
             */
            share: number;
            /**
             * Format: double
             * @description Maximum number of points.
             */
            weight: number;
        };
        /** @description Contact of a provider. */
        Contact: {
            email?: string | null;
            organisation?: string | null;
            person?: string | null;
            phone?: string | null;
            url?: string | null;
        };
        /** @description A criterion of the score that records of a host miss. */
        CostlyPoint: {
            advice?: string | null;
            /**
             * Format: double
             * @description Total points that it costs these records.
             */
            cost: number;
            /**
             * Format: int64
             * @description Number of records that miss it.
             */
            count: number;
            id: string;
            /** @description Ids of some of these records. */
            records: string[];
            what: string;
        };
        /** @description A new token. */
        CreatedToken: {
            /** @description Only shown once. */
            secret: string;
            token: components["schemas"]["TokenInfo"];
        };
        /** @description A layer, feature type, coverage, process, offering and so on: the unit that people search for. */
        Dataset: {
            abstract?: string | null;
            bbox?: components["schemas"]["Bbox"] | null;
            /** @description At most 200 codes. */
            crs?: string[];
            formats?: string[];
            keywords?: string[];
            name: string;
            /** @description Time extents as written in the source: instants, intervals `a/b` or `a/b/period`. */
            time?: string[];
            title?: string | null;
        };
        /** @description Availability and speed on one day. */
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
        /** @description Decision about a proposed successor. */
        Decision: {
            action: components["schemas"]["SuccessorAction"];
        };
        /** @description Number of services per cell. */
        Density: {
            /**
             * Format: double
             * @description Cell size in degrees.
             */
            cell: number;
            /**
             * @description Longitude and latitude of the cell centre, and number of services on hosts in the cell;
             *     empty cells are left out.
             */
            cells: [
                number,
                number,
                number
            ][];
        };
        /** @description Yield of one depth. */
        DepthLevel: {
            /**
             * Format: int32
             * @description Number of links from a seed.
             */
            depth: number;
            /** Format: int64 */
            finds: number;
            /** Format: int64 */
            pages: number;
        };
        /** @description Discovery at one depth. */
        DepthTotals: {
            /** Format: int32 */
            depth: number;
            /** Format: int64 */
            found: number;
            /** Format: int64 */
            pages: number;
        };
        /** @description A configured search engine. */
        EngineInfo: {
            /** @description Type of engine: `searxng`, `brave`, ... */
            kind: string;
            /**
             * Format: int64
             * @description Queries left today; absent if there is no limit.
             */
            left_today?: number | null;
            /** @description Name used in tasks. */
            name: string;
        };
        /** @description New events. */
        EventList: {
            events: components["schemas"]["EventView"][];
            live?: components["schemas"]["LiveFigures"] | null;
            /**
             * Format: int64
             * @description Value of `after` for the next request.
             */
            next: number;
        };
        /** @description An event. */
        EventView: {
            data: Record<string, never>;
            /** @description `find` or `state`. */
            event: string;
            /** Format: int64 */
            seq: number;
        };
        /** @description Evidence for a claim: enough to repeat the request and to dispute the result. */
        Evidence: {
            /** Format: date-time */
            at: string;
            /** Format: int64 */
            bytes: number;
            content_type?: string | null;
            /** @description SHA-256 (hex) of the answer's bytes that were read. */
            hash: string;
            /** Format: int32 */
            millis: number;
            range?: string | null;
            /** @description The exact request URL that was answered. */
            request: string;
            /** @description The rule that identified the resource. */
            rule: string;
            /** Format: int32 */
            status: number;
        };
        /**
         * @description Expected content of a URL.
         * @enum {string}
         */
        Expected: "page" | "sitemap" | "service" | "file" | "catalogue";
        /** @description A value of a facet. */
        FacetCount: {
            /** Format: int64 */
            count: number;
            value: string;
        };
        /** @description Facts about a description; the score uses nothing else of it. */
        Facts: {
            /**
             * Format: int32
             * @description Length of the abstract in characters; 0 for a software default.
             */
            abstract_length: number;
            /** @description Whether the advertised request URLs use the service's own scheme and host. */
            advertised?: boolean | null;
            /** @description Whether bounding boxes in the native reference system agree with the geographic ones. */
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
            /** @description Whether an encoding is declared and correct. */
            encoding: boolean;
            /** Format: int32 */
            keywords: number;
            licence: boolean;
            /** @description Whether the media type matches the document. */
            media_type: boolean;
            /** @description Whether there is a link to metadata, or a date. */
            metadata_or_date: boolean;
            organisation: boolean;
            /**
             * Format: double
             * @description Share of the datasets with a valid bounding box, 0 to 1.
             */
            placed: number;
            /** @description For files: whether range requests work, and whether the reference system is known. */
            ranges?: boolean | null;
            /** @description Whether root element, namespace and version match the standard. */
            right_root: boolean;
            /** @description The title, unless it is a software default. */
            title?: string | null;
            /**
             * Format: double
             * @description Share of the datasets whose title is neither their name nor a number, 0 to 1.
             */
            titled: number;
            /** @description Whether every dataset has a name and all names differ. */
            unique_names: boolean;
            /**
             * @description Ids of points that cannot be judged from what was read (`metadata.link`); the score skips
             *     them.
             */
            unknown?: string[];
            /** @description Whether the response has the requested version. */
            version?: boolean | null;
            /** @description Whether the document is strictly well-formed. */
            well_formed: boolean;
        };
        /**
         * @description Family of kinds.
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
        /** @description One changed field. */
        FieldChange: {
            /** @description New value; absent if the field is gone. */
            now?: string | null;
            /**
             * @description `title`, `contact.email`, `datasets` (names that were added or removed),
             *     `datasets[roads].title`, ...
             */
            path: string;
            /** @description Old value; absent if the field is new. */
            was?: string | null;
        };
        /** @description A find of a run. */
        Find: components["schemas"]["ShortRecord"] & {
            /**
             * Format: int64
             * @description Event number.
             */
            seq: number;
        };
        /** @description Finds of the latest run. */
        Finds: {
            /**
             * Format: int64
             * @description Value of `after` for the next page; `null` if there are no more.
             */
            next?: number | null;
            results: components["schemas"]["Find"][];
        };
        /** @description What the latest run of a task visits next and why. */
        FocusView: {
            depths: components["schemas"]["DepthLevel"][];
            /** @description Whether the ranking learns. */
            learns: boolean;
            /**
             * @description URLs to be requested next, soonest first, a few probes among them; empty when the run is
             *     over.
             */
            next: components["schemas"]["NextAddress"][];
            /**
             * Format: int64
             * @description Number of groups of seeds opened so far.
             */
            opened: number;
            /** @description Name of the task's ranking. */
            ordering: string;
            /** @description Indicative words of the pages of this run that led to something new. */
            terms: components["schemas"]["TellingTerm"][];
            /**
             * @description Words used by the ranking, learned from all tasks: positive ones lead to services, negative
             *     ones lead away.
             */
            vocabulary: components["schemas"]["LearnedTerm"][];
            /** @description The latest 200 groups, in order. */
            widths: components["schemas"]["SeedGroup"][];
        };
        /**
         * @description How often an alert is delivered.
         * @enum {string}
         */
        Frequency: "immediate" | "daily" | "weekly";
        /** @description Places with that name, best known first. */
        GazetteerAnswer: {
            places: components["schemas"]["NamedPlace"][];
        };
        /** @description Health of a service or layer, in brief for programs. */
        Health: {
            /** Format: date-time */
            checked?: string | null;
            id: string;
            kind: string;
            /** @description Name of the layer, if it is about one. */
            layer?: string | null;
            reason: string;
            /** Format: int32 */
            score?: number | null;
            status: components["schemas"]["Status"];
            /**
             * Format: double
             * @description Share of the checks in the last 30 days that got a response, 0 to 1.
             */
            uptime_30d?: number | null;
            url: string;
        };
        /** @description The history of the latest run. */
        History: {
            samples: components["schemas"]["Sample"][];
        };
        /** @description The history of an item. */
        HistoryView: {
            choices: components["schemas"]["VersionChoice"][];
            /**
             * Format: int32
             * @description The current version; absent if the item is gone.
             */
            current?: number | null;
            role: components["schemas"]["ItemRole"];
            url: string;
            versions: components["schemas"]["VersionView"][];
        };
        /** @description A hit: a service, or a layer when searching by layers. */
        Hit: {
            /** @description Contribution of each signal to the rank. */
            explanation?: {
                [key: string]: number;
            };
            /** @description Best matching layers, at most 5; when searching by layers, the layer itself. */
            layers: components["schemas"]["LayerHit"][];
            /**
             * Format: int64
             * @description Number of matching layers, when searching by services.
             */
            layers_matching: number;
            /** @description Words of the query that the record lacks. */
            missing?: string[];
            /** Format: float */
            score: number;
            /** @description Excerpt of the matching text, marked and escaped like the title. */
            snippet_html: string;
            /** @description Title as HTML; matching words are wrapped in `<mark>`, everything else is escaped. */
            title_html: string;
        };
        /** @description The host that serves a resource. */
        Host: {
            city?: string | null;
            /** @description ISO 3166 code of the country where the host is located. Requires GeoIP data. */
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
        /** @description A host of hits, with its location. */
        HostPlace: {
            /**
             * Format: int64
             * @description Number of hits on this host.
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
        /** @description Problems and outages of a host. */
        HostReport: {
            /** Format: int64 */
            datasets: number;
            host: string;
            /** @description Providers on this host, most records first. */
            organisations: string[];
            /** @description Newest first, at most 50. */
            outages: components["schemas"]["HostOutage"][];
            place?: components["schemas"]["Host"] | null;
            /** @description Largest total score loss first; computed over the first 200 services. */
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
        /** @description A host with a summary of its records. */
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
             * @description Mean score of its records.
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
             * @description Number of catalogue changes since then.
             */
            behind: number;
            /**
             * Format: int64
             * @description The last catalogue change that the index has processed.
             */
            seq: number;
        };
        /** @description A problem in a document that did not prevent reading it. */
        Issue: {
            /** @description Stable id for programs, e.g. `xml-not-well-formed`, `bbox-inverted`. */
            code: string;
            /** @description Description in one sentence. */
            message: string;
        };
        /** @description Items as they were at a given time. */
        ItemList: {
            /** Format: date-time */
            as_of: string;
            results: components["schemas"]["ItemView"][];
            /** Format: int64 */
            total: number;
        };
        /**
         * @description Role of an archived page in its collection.
         * @enum {string}
         */
        ItemRole: "result" | "page" | "requisite";
        /** @description An item as it was at a given time. */
        ItemView: {
            /** @description Whether a user chose this version. */
            chosen: boolean;
            /** Format: date-time */
            created: string;
            /** Format: date-time */
            modified?: string | null;
            /** @description Address of the replay. */
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
        /** @description Response times in milliseconds. */
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
            /** @description Title as HTML, marked and escaped. */
            title_html: string;
        };
        /** @description Layers of a service. */
        Layers: {
            results: components["schemas"]["Dataset"][];
            /** Format: int64 */
            total: number;
        };
        /** @description A word that the ranking has learned. */
        LearnedTerm: {
            /**
             * Format: int64
             * @description Number of pages with this word.
             */
            seen: number;
            term: string;
            /**
             * Format: double
             * @description Positive: leads to services; negative: leads away.
             */
            weight: number;
        };
        /** @description Current figures of a running task, overwritten about twice a second. */
        LiveFigures: {
            /** Format: int32 */
            active_hosts: number;
            /** Format: date-time */
            at: string;
            counters: components["schemas"]["TaskTotals"];
            /** @description Latest requests, newest last, at most 30. Those without `millis` are still in progress. */
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
        /** @description Name and password. */
        Login: {
            name: string;
            password: string;
        };
        /** @description The user who is logged in. */
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
            /** @description Search engines that a task can query for seeds. */
            engines: components["schemas"]["EngineInfo"][];
            /** Format: int32 */
            max_running: number;
            oidc?: components["schemas"]["OidcMeta"] | null;
            /** @description Rankings that a task can use; the first is the default. */
            orderings: components["schemas"]["OrderingChoice"][];
            /** @description Whether layers may be loaded through this server. */
            proxy: boolean;
            public_url: string;
            title: string;
            version: string;
            /** @description Text of the operator for visitors. */
            welcome?: string | null;
        };
        /** @description Changes in the description of a record. */
        MetadataChange: {
            /** Format: date-time */
            at: string;
            changes: components["schemas"]["FieldChange"][];
        };
        /** @description Overview of the check schedule. */
        MonitoringView: {
            /** Format: int64 */
            checks_24h: number;
            /** Format: int64 */
            due: number;
            /**
             * Format: int64
             * @description Records in the schedule.
             */
            enrolled: number;
            /** @description Worst first. */
            hosts: components["schemas"]["HostSummary"][];
            latency?: components["schemas"]["Latency"] | null;
            /** Format: date-time */
            next?: string | null;
            /**
             * Format: int64
             * @description Records that have been due for more than an hour.
             */
            overdue: number;
            /** @description Whether the monitor runs in this process. */
            running: boolean;
            statuses: {
                [key: string]: number;
            };
        };
        /** @description Address where a record has probably moved. */
        MovedTo: {
            /**
             * Format: double
             * @description 0 to 1.
             */
            confidence: number;
            /** @description The record at that address, if there is one. */
            id?: string | null;
            url: string;
        };
        /** @description A place. */
        NamedPlace: {
            /** @description Bounding box (west, south, east, north), not the border. */
            bbox: components["schemas"]["Bbox"];
            /** @description Country code, two letters (ISO 3166). */
            country?: string | null;
            /** @description An `area` is a sea, a continent or a mountain range. */
            kind: components["schemas"]["PlaceKind"];
            name: string;
            /** @description Region of a town. */
            region?: string | null;
            /** @description The text without the name. */
            rest: string;
        };
        /** @description A collection to create. */
        NewCollection: {
            /**
             * @description Pages that describe the subject; if empty, no page is off topic.
             * @default []
             */
            about?: string[];
            /**
             * Format: double
             * @description Relevance (0 to 1) below which a result is rejected.
             * @default 0.1
             */
            aboutness?: number;
            /** @description 1 to 40 letters, digits, `-` or `_`. */
            acronym: string;
            /**
             * Format: int32
             * @description Levels of links to follow from a result.
             * @default 1
             */
            depth?: number;
            /** @default  */
            description?: string;
            /**
             * @description Names of configured search engines; empty to query none.
             * @default []
             */
            engines?: string[];
            /**
             * Format: double
             * @description Similarity (0 to 1) below which a changed page counts as a new one.
             * @default 0.7
             */
            likeness?: number;
            /**
             * Format: int64
             * @description Maximum number of bytes per page or file.
             * @default 20971520
             */
            max_bytes?: number;
            /**
             * Format: int32
             * @description Maximum number of pages and documents per run.
             * @default 500
             */
            max_pages?: number;
            /**
             * Format: int32
             * @description Maximum number of embedded files (images, style sheets and the like) per run.
             * @default 2000
             */
            max_requisites?: number;
            /**
             * Format: int64
             * @description Maximum number of bytes per run.
             * @default 1073741824
             */
            max_run_bytes?: number;
            /**
             * @description Pages that are always archived, whatever the search engines return.
             * @default []
             */
            pages?: string[];
            /**
             * @description Whether everyone may view it.
             * @default true
             */
            public?: boolean;
            /**
             * @description Search engine queries; if empty, title and acronym are searched for, as in the paper.
             * @default []
             */
            queries?: string[];
            /** @description Start a run immediately. */
            run?: boolean | null;
            /**
             * @description Cron expression (five fields, UTC) for repeated runs.
             * @default null
             */
            schedule?: string | null;
            /**
             * @description Where followed links may lead: `host`, `domain` or `any`.
             * @default domain
             */
            scope?: string;
            /**
             * @description Display title.
             * @default
             */
            title?: string;
            /**
             * Format: int32
             * @description Number of results to use per engine (`B` in the paper).
             * @default 10
             */
            top?: number;
        };
        /** @description A note to add. */
        NewNote: {
            text: string;
            url?: string | null;
        };
        /** @description A task to create. */
        NewTask: {
            /** @default null */
            area?: components["schemas"]["Bbox"] | null;
            /**
             * Format: int32
             * @default 2
             */
            depth?: number;
            /**
             * @description Configured search engines that provide seeds for the keywords.
             * @default []
             */
            engines?: string[];
            /**
             * @description Keywords of the task; used by rankings that consider text.
             * @default []
             */
            keywords?: string[];
            /** @default crawl */
            kind?: components["schemas"]["TaskKind"];
            /**
             * @description Kinds to look for; empty for all.
             * @default []
             */
            kinds?: string[];
            /**
             * @description Languages (ISO 639-1) of search queries and of pages to follow; empty for all.
             * @default []
             */
            languages?: string[];
            /**
             * Format: int32
             * @description Maximum number of links to follow per page; `None` for all.
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
             * @description Maximum running time in minutes.
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
             * @description Name of a frontier ranking.
             * @default learned
             */
            ordering?: string;
            /**
             * Format: int32
             * @description Ends a seed group or a site section after this many consecutive pages without a find; 0 for
             *     never.
             * @default null
             */
            patience?: number | null;
            /**
             * @description Whether everyone may view it.
             * @default false
             */
            public?: boolean;
            /**
             * @description Whether map applications are rendered in a browser.
             * @default false
             */
            render?: boolean;
            /**
             * @description Cron expression (five fields, UTC) for repeated runs.
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
            /** @description Start it immediately. */
            start?: boolean;
            /**
             * @description Display title.
             * @default
             */
            title?: string;
            /**
             * Format: int32
             * @description Maximum number of groups of ten seeds to open, best first; each opens when the one before is
             *     exhausted. `None` opens all seeds at once.
             * @default null
             */
            width?: number | null;
        };
        /** @description A token to create. */
        NewToken: {
            /**
             * Format: int32
             * @description Days until the token expires; `null`: never.
             */
            days?: number | null;
            /** @description What the token is for; only shown to you. */
            name: string;
            /** @description `read`, `download`, `tasks`, `admin` (admins only). */
            scopes: string[];
        };
        /** @description A URL that will be requested soon. */
        NextAddress: {
            /** Format: int32 */
            depth: number;
            /** @description Expected content. */
            expected: components["schemas"]["Expected"];
            url: string;
            why: components["schemas"]["PlaceReasons"];
            /** Format: int32 */
            width: number;
        };
        /** @description A report about a record. */
        Note: {
            /** @description Description of the problem. */
            text: string;
        };
        /** @description Notes, oldest first. */
        NoteList: {
            results: components["schemas"]["NoteView"][];
        };
        /** @description Confirmation of a report. */
        NoteReceipt: {
            /** Format: int64 */
            id: number;
        };
        /** @description A note by a user. */
        NoteView: {
            /** Format: date-time */
            at: string;
            text: string;
            /** @description URL of the item; absent for a note on the collection. */
            url?: string | null;
            who: string;
        };
        /** @description A notice about a change of a record. */
        Notice: {
            /** Format: date-time */
            at: string;
            /** @description Details: the changed fields or the new address. */
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
         * @description What a notice is about.
         * @enum {string}
         */
        NoticeKind: "born" | "died" | "reborn" | "degraded" | "recovered" | "restricted" | "blocked" | "changed" | "moved";
        /** @description A list of notifications. */
        NoticeList: {
            results: components["schemas"]["Notice"][];
        };
        /** @description One request of a check with its result: enough to repeat it and to dispute it. */
        Observation: {
            answer?: components["schemas"]["CheckResponse"] | null;
            /** @description The dataset that was requested. */
            dataset?: string | null;
            failure?: components["schemas"]["CheckFailure"] | null;
            /** @description Classification of the answer. */
            outcome: components["schemas"]["Outcome"];
            phases: components["schemas"]["Phases"];
            purpose: components["schemas"]["Purpose"];
            request: components["schemas"]["CheckRequest"];
            /** @description What was observed, in words, without interpretation. */
            seen: string;
        };
        /** @description A login provider. */
        OidcMeta: {
            label: string;
        };
        /** @description A ranking of the frontier. */
        OrderingChoice: {
            /** @description One-line description. */
            about: string;
            /** @description Whether it learns from what it finds. */
            learns: boolean;
            name: string;
        };
        /** @description A period in which a record did not answer. */
        Outage: {
            /** Format: date-time */
            began: string;
            cause: string;
            /** Format: date-time */
            ended?: string | null;
            reason: string;
        };
        /**
         * @description Classification of an answer. The names are stable.
         * @enum {string}
         */
        Outcome: "valid" | "blank" | "exception" | "wrong-content" | "page" | "malformed" | "login" | "key" | "firewall" | "forbidden" | "rate-limited" | "robots" | "gone" | "client-error" | "server-error" | "dns" | "connect" | "tls" | "timeout" | "reset" | "too-large" | "refused";
        /** @description Owner of a task. */
        Owner: {
            /** Format: int64 */
            id: number;
            name: string;
        };
        /** @description A new password, and the old one as confirmation. */
        PasswordChange: {
            new: string;
            old: string;
        };
        /** @description Users by name. */
        People: {
            results: components["schemas"]["Person"][];
            /** Format: int64 */
            total: number;
        };
        /** @description A user. */
        Person: {
            /** Format: date-time */
            created: string;
            disabled: boolean;
            email?: string | null;
            /** Format: int64 */
            id: number;
            /** @description Issuer of the user's OpenID Connect identity. */
            issuer?: string | null;
            /** Format: date-time */
            last_login?: string | null;
            /** Format: int32 */
            max_running?: number | null;
            name: string;
            role: components["schemas"]["Role"];
        };
        /** @description Duration of each phase of a request, in milliseconds. */
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
             * @description Total, without the time spent waiting for the crawl delay.
             */
            total: number;
            /**
             * Format: int32
             * @description Reading the body.
             */
            transfer: number;
        };
        /**
         * @description Type of a place.
         * @enum {string}
         */
        PlaceKind: "area" | "country" | "region" | "town";
        /** @description A reason for a position. */
        PlaceReason: {
            /**
             * Format: double
             * @description Contribution to the expected value; the scale depends on the ranking.
             */
            adds: number;
            /** @description A short name: `host`, `words:karten`, `depth`, ... */
            name: string;
            /** @description Description for users. */
            text: string;
        };
        /** @description Why a URL has its position in the queue. */
        PlaceReasons: {
            /**
             * Format: double
             * @description Expected number of new services, if the ranking estimates it.
             */
            expects?: number | null;
            /**
             * Format: int32
             * @description Position in the queue; smaller is sooner.
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
             * @description Hits whose host location is unknown.
             */
            without_place: number;
        };
        /** @description One criterion of the score. */
        Point: {
            /** @description How to fix it, if points are missing. */
            advice?: string | null;
            /**
             * Format: double
             * @description Points reached, and points possible (`of`), as shares of the component.
             */
            got: number;
            /** @description Stable id, e.g. `metadata.abstract`. */
            id: string;
            /** @description Index of the observation that shows it. */
            observation?: number | null;
            /** Format: double */
            of: number;
            /** @description The criterion in words. */
            what: string;
            /** @description The reason in words, with the figures that decided. */
            why: string;
        };
        /**
         * @description Precision of a location.
         * @enum {string}
         */
        Precision: "city" | "region" | "country";
        /** @description An error as the client receives it. */
        Problem: {
            /** @description What happened, and what to do next. */
            detail: string;
            /** @description Name of the invalid parameter or member. */
            parameter?: string | null;
            /**
             * Format: int64
             * @description Seconds until a retry makes sense.
             */
            retry_after?: number | null;
            /** Format: int32 */
            status: number;
            /** @description The kind of error; the same for all problems of one type. */
            title: string;
            /** @description `urn:geotrawl:problem:<code>`; stable. */
            type: string;
        };
        /** @description How a record was found. */
        Provenance: {
            /** Format: int32 */
            depth: number;
            /** @description The page that contains the link. */
            page: string;
            task: string;
            way: string;
        };
        /** @description How a record was found and identified. */
        ProvenanceAnswer: {
            /** @description The chain of pages for each discovery, seed first. */
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
         * @description Why a request was sent.
         * @enum {string}
         */
        Purpose: "description" | "operation" | "refusal";
        /** @description The quality of a record, with reasons. */
        Quality: {
            /**
             * Format: date-time
             * @description When a user requested a check that has not been made yet.
             */
            asked?: string | null;
            check?: components["schemas"]["Check"] | null;
            /** @description Each request of the check as a curl command. */
            curl: string[];
            history?: components["schemas"]["CheckHistory"] | null;
            id: string;
            /**
             * Format: date-time
             * @description Time of the next check.
             */
            next?: string | null;
            /**
             * Format: int64
             * @description Number of the check; absent before the first.
             */
            number?: number | null;
            /** @description Whether the record is in the check schedule. */
            scheduled: boolean;
            score?: components["schemas"]["Score"] | null;
            standing?: components["schemas"]["ResourceStatus"] | null;
        };
        /** @description One resource of the catalogue, in its public form. */
        Record: components["schemas"]["Resource"] & {
            aliases: string[];
            /**
             * Format: date-time
             * @description When it was last checked.
             */
            checked?: string | null;
            /** @description Other protocols over the same data, found at similar addresses. */
            faces?: components["schemas"]["RelatedService"][];
            /** Format: date-time */
            first_seen: string;
            host: components["schemas"]["Host"];
            id: string;
            /** Format: date-time */
            last_ok?: string | null;
            /** Format: date-time */
            last_seen: string;
            /** @description Addresses of records that were merged into it. */
            moved_from?: string[];
            moved_to?: components["schemas"]["MovedTo"] | null;
            provenance: components["schemas"]["Provenance"][];
            /** @description Whether there is too little history for a reliable score. */
            provisional?: boolean;
            reason?: string;
            /**
             * Format: int32
             * @description Quality from 0 to 100, if it was scored.
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
        /** @description Another protocol over the same data. */
        RelatedService: {
            id: string;
            kind: string;
            url: string;
        };
        /** @description A report about a record. */
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
        /** @description Reports about records, newest first. */
        Reports: {
            results: components["schemas"]["ReportLine"][];
        };
        /**
         * @description A service or a file on the web that offers geospatial data.
         *
         *     Identified by `kind` and `url`; the store adds id, aliases, times, status and provenance.
         */
        Resource: {
            abstract?: string | null;
            bbox?: components["schemas"]["Bbox"] | null;
            contact?: components["schemas"]["Contact"];
            crs?: string[];
            /**
             * Format: int64
             * @description Number of datasets; may exceed `datasets.len()` if only a count is known.
             */
            dataset_count: number;
            formats?: string[];
            /** @description Problems found while reading it; never fatal. */
            issues?: components["schemas"]["Issue"][];
            keywords?: string[];
            /** @description Kind id, e.g. `wms`. */
            kind: string;
            languages?: string[];
            /** @description Licence, fees and access constraints as stated; the many spellings of "none" are dropped. */
            licence?: string | null;
            /** @description Organisation that offers it. */
            provider?: string | null;
            /** @description Server software, if it identifies itself, e.g. `GeoServer`, `MapServer 8.0`. */
            software?: string | null;
            title?: string | null;
            /**
             * @description Canonical endpoint without request parameters (vendor parameters are kept), or the URL of a
             *     file.
             */
            url: string;
            /** @description Versions seen or advertised, e.g. `1.3.0`. */
            versions?: string[];
        };
        /** @description Status of a resource after many checks. */
        ResourceStatus: {
            cause: string;
            /** Format: date-time */
            checked: string;
            /**
             * Format: int32
             * @description Those of the `failures` that found it dead.
             */
            deaths: number;
            /** Format: date-time */
            failing_since?: string | null;
            /**
             * Format: int32
             * @description Number of consecutive checks that failed; `failing_since` is the time of the first one.
             */
            failures: number;
            /** Format: date-time */
            last_ok?: string | null;
            /**
             * Format: int32
             * @description Number of consecutive checks without a good verdict.
             */
            not_good: number;
            reason: string;
            /** Format: int32 */
            repeated: number;
            /** Format: date-time */
            repeated_since: string | null;
            /**
             * Format: date-time
             * @description When this status began.
             */
            since: string;
            status: components["schemas"]["Status"];
            /**
             * Format: int32
             * @description Number of consecutive checks that succeeded.
             */
            successes: number;
            /** @description The status that was reported last. */
            told: components["schemas"]["Status"];
            /** @description When it changed between working and not working, newest first, at most 10. */
            turns: string[];
            /** @description Verdict of the latest check; `repeated` consecutive checks since `repeated_since` had it. */
            verdict: components["schemas"]["Status"];
        };
        /** @description The ranked list of a run. */
        ResultList: {
            results: components["schemas"]["ResultView"][];
            run?: components["schemas"]["RunView"] | null;
        };
        /** @description Rank of a result at one search engine. */
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
            /** @description `html`, `document`, or empty while not known. */
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
         * @description Role of a user.
         * @enum {string}
         */
        Role: "user" | "admin";
        /** @description The version to make current. */
        Rollback: {
            /** @description Reason for the change. */
            note?: string;
            url: string;
            /** Format: int32 */
            version: number;
        };
        /** @description Rules that turn a check into a score. */
        Rubric: {
            /** @description Bands of score values, worst first. */
            bands: string[];
            caps: components["schemas"]["CapRule"][];
            /**
             * Format: int32
             * @description Number of checks below which a score is provisional.
             */
            provisional_below: number;
            /** @description Version of the rubric. */
            rubric: string;
            /** @description Weights, one row per family of kinds; every kind is in exactly one row. */
            weights: components["schemas"]["Weights"][];
        };
        /** @description Runs, newest first. */
        RunList: {
            results: components["schemas"]["RunView"][];
        };
        /**
         * @description State of a run.
         * @enum {string}
         */
        RunState: "running" | "finished" | "failed";
        /** @description A run and its counts. */
        RunView: {
            /**
             * Format: date-time
             * @description Timestamp of the run, which is the second part of the object's identifier.
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
        /** @description A point in the history of a run. */
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
        /** @description The next times of a schedule. */
        ScheduleMoments: {
            next: string[];
        };
        /** @description A schedule to evaluate. */
        ScheduleText: {
            text: string;
        };
        /** @description A vocabulary. */
        Scheme: {
            /** @description Id used in labels, e.g. `inspire`. */
            id: string;
            /** @description Source of the vocabulary. */
            source?: string | null;
            terms: components["schemas"]["Term"][];
            /** @description Name in English if available, else in another language. */
            title: string;
            /** @description Names by language. */
            titles: {
                [key: string]: string;
            };
        };
        /** @description All vocabularies. */
        Schemes: {
            schemes: components["schemas"]["Scheme"][];
        };
        /** @description Quality from 0 to 100, with all parts. */
        Score: {
            cap?: components["schemas"]["Cap"] | null;
            components: components["schemas"]["Component"][];
            /** @description Whether there is too little history for a reliable score. */
            provisional: boolean;
            /** @description Version of the rubric. */
            rubric: string;
            /**
             * Format: int32
             * @description Absent if the resource was never reached or is restricted.
             */
            value?: number | null;
        };
        /** @description A search result page. */
        SearchAnswer: {
            /**
             * Format: int64
             * @description Number of hits that contain all words, if hits with fewer words are included because too few
             *     have all.
             */
            complete?: number | null;
            /**
             * @description Whether the hits are those of the corrected spelling, because nothing matches the words as
             *     written.
             */
            corrected: boolean;
            /** @description A spelling with more hits. */
            did_you_mean?: string | null;
            /** @description Facets with values and counts. The counts of a facet ignore that facet's own filter. */
            facets: {
                [key: string]: components["schemas"]["FacetCount"][];
            };
            results: components["schemas"]["SearchResult"][];
            /** Format: double */
            took_ms: number;
            /** Format: int64 */
            total: number;
        };
        /** @description A record and why it matches. */
        SearchResult: components["schemas"]["Record"] & {
            hit: components["schemas"]["Hit"];
        };
        /** @description A group of seeds of a run. A run without groups has a single one. */
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
            /** @description Whether the stop rule ended it; its pending pages are closed unread. */
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
             * @description Seeds in the group.
             */
            seeds: number;
            /** @description Why it ended, in one sentence. */
            why?: string | null;
            /**
             * Format: int32
             * @description Number of the group, from 1.
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
            /** @description Source, and whom to credit. */
            source: string;
        };
        /** @description Stored lists of seeds. */
        SeedLists: {
            results: components["schemas"]["SeedList"][];
        };
        /** @description The current session. */
        SessionState: {
            /** @description Value of the `X-CSRF-Token` header for changes; `null` for guests and tokens. */
            csrf?: string | null;
            /** Format: int32 */
            max_running?: number | null;
            /**
             * Format: int64
             * @description Number of running tasks of the user, and the limit; a limit of `null` means none, as for
             *     admins.
             */
            running: number;
            user?: components["schemas"]["Me"] | null;
        };
        /** @description The current settings. */
        Settings: {
            base_maps: components["schemas"]["BaseMap"][];
            /**
             * Format: int32
             * @description Requests per minute for each address without login, and for each user.
             */
            guest_rate: number;
            /**
             * Format: int32
             * @description Tasks that each user may run at once.
             */
            max_running: number;
            /** @description Let users load layers through this server. */
            proxy: boolean;
            title: string;
            /** Format: int32 */
            user_rate: number;
            /** @description Text shown to all visitors on the front page. */
            welcome?: string | null;
        };
        /** @description Current settings, and which of them were changed by admins. */
        SettingsState: {
            /** @description Keys that were changed here; the others have the value from the configuration. */
            changed: string[];
            settings: components["schemas"]["Settings"];
        };
        /**
         * @description Short form of a record: the body of `find` events. Events of older versions are read as well, so
         *     every new member needs `#[serde(default)]`.
         */
        ShortRecord: {
            bbox?: components["schemas"]["Bbox"] | null;
            /** Format: int64 */
            dataset_count: number;
            /** Format: int32 */
            depth: number;
            host: components["schemas"]["Host"];
            id: string;
            kind: string;
            /** @description The page that contains the link. */
            page: string;
            status: components["schemas"]["Status"];
            title?: string | null;
            url: string;
        };
        /** @description Statistics of the whole catalogue. */
        StatisticsView: {
            /** @description Numbers by ISO code of the host's country, then by kind. */
            countries: {
                [key: string]: {
                    [key: string]: number;
                };
            };
            /** Format: int64 */
            datasets: number;
            /** @description Number of records at the end of each day. */
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
            levels: components["schemas"]["DepthTotals"][];
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
         * @description Whether a resource works, as of the latest checks.
         * @enum {string}
         */
        Status: "alive" | "degraded" | "dead" | "restricted" | "blocked" | "inconclusive" | "unchecked";
        /** @description Another record that may replace a dead one. */
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
         * @description Accept or reject the successor.
         * @enum {string}
         */
        SuccessorAction: "accept" | "reject";
        /**
         * @description What people decided about a proposed successor.
         * @enum {string}
         */
        SuccessorState: "proposed" | "accepted" | "rejected";
        /** @description Possible successors. */
        Successors: {
            results: components["schemas"]["Successor"][];
        };
        /** @description A completion of the text typed so far. */
        Suggestion: {
            /** Format: int64 */
            count: number;
            /** @description `title`, `word`, `keyword` or `provider`. */
            kind: string;
            text: string;
        };
        /** @description Suggested completions. */
        Suggestions: {
            suggestions: components["schemas"]["Suggestion"][];
        };
        /** @description The state of the server. */
        SystemState: {
            index: components["schemas"]["IndexState"];
            /**
             * Format: int64
             * @description Running tasks.
             */
            running: number;
            /** Format: date-time */
            started?: string | null;
            /** Format: int64 */
            store_bytes: number;
            version: string;
            /**
             * Format: int64
             * @description Open event streams.
             */
            watchers: number;
        };
        /** @description Totals of a run, broken down by depth, kind and outcome. */
        Tallies: {
            /** @description Resources proven per depth. */
            finds_by_depth: {
                [key: string]: number;
            };
            kinds: {
                [key: string]: number;
            };
            /** @description Requests per outcome class. */
            outcomes: {
                [key: string]: number;
            };
            /** @description Pages read per depth. */
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
            /** @description Actions available to the caller now. */
            may: components["schemas"]["TaskAction"][];
            /** @description Whether the caller owns it. */
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
         * @description An action on a task.
         * @enum {string}
         */
        TaskAction: "start" | "pause" | "resume" | "stop" | "edit" | "delete" | "clone";
        /**
         * @description Type of a task.
         * @enum {string}
         */
        TaskKind: "crawl" | "harvest";
        /** @description A list of tasks. */
        TaskList: {
            results: components["schemas"]["Task"][];
            /** Format: int64 */
            total: number;
        };
        /** @description Settings of a task, stored, shown and cloned unchanged. */
        TaskSpec: {
            /** @default null */
            area?: components["schemas"]["Bbox"] | null;
            /**
             * Format: int32
             * @default 2
             */
            depth?: number;
            /**
             * @description Configured search engines that provide seeds for the keywords.
             * @default []
             */
            engines?: string[];
            /**
             * @description Keywords of the task; used by rankings that consider text.
             * @default []
             */
            keywords?: string[];
            /** @default crawl */
            kind?: components["schemas"]["TaskKind"];
            /**
             * @description Kinds to look for; empty for all.
             * @default []
             */
            kinds?: string[];
            /**
             * @description Languages (ISO 639-1) of search queries and of pages to follow; empty for all.
             * @default []
             */
            languages?: string[];
            /**
             * Format: int32
             * @description Maximum number of links to follow per page; `None` for all.
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
             * @description Maximum running time in minutes.
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
             * @description Name of a frontier ranking.
             * @default learned
             */
            ordering?: string;
            /**
             * Format: int32
             * @description Ends a seed group or a site section after this many consecutive pages without a find; 0 for
             *     never.
             * @default null
             */
            patience?: number | null;
            /**
             * @description Whether everyone may view it.
             * @default false
             */
            public?: boolean;
            /**
             * @description Whether map applications are rendered in a browser.
             * @default false
             */
            render?: boolean;
            /**
             * @description Cron expression (five fields, UTC) for repeated runs.
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
             * @description Display title.
             * @default
             */
            title?: string;
            /**
             * Format: int32
             * @description Maximum number of groups of ten seeds to open, best first; each opens when the one before is
             *     exhausted. `None` opens all seeds at once.
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
        /** @description A word that occurs on pages that led to something new. */
        TellingTerm: {
            /**
             * Format: int64
             * @description Pages with this word, in the title or on the link to the page, that led to something new.
             */
            gained: number;
            /**
             * Format: int64
             * @description All pages of the run with this word.
             */
            seen: number;
            term: string;
        };
        /** @description A term of a vocabulary. */
        Term: {
            /** @description Id used in labels, e.g. `hy`. */
            id: string;
            /** @description Names by language. */
            label: {
                [key: string]: string;
            };
            /** @description Id of the broader term. */
            parent?: string | null;
            /** @description URI of the term. */
            uri?: string | null;
        };
        /** @description A theme label: a term of a vocabulary, and the text that led to it. */
        Theme: {
            evidence: string;
            scheme: string;
            term: string;
        };
        /** @description An API token, without its secret. */
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
        /** @description The tokens of a user. */
        Tokens: {
            results: components["schemas"]["TokenInfo"][];
            /** Format: int64 */
            total: number;
        };
        /** @description Number of records, datasets and hosts. */
        Totals: {
            /** Format: int64 */
            datasets: number;
            /** Format: int64 */
            hosts: number;
            /** Format: int64 */
            records: number;
        };
        /** @description Availability and speed of a record. */
        Uptime: {
            /** @description Oldest first; days without checks are omitted. */
            days: components["schemas"]["Day"][];
            /** @description Newest first. */
            outages: components["schemas"]["Outage"][];
            /** @description `24h`, `30d`, `1y`. */
            windows: {
                [key: string]: components["schemas"]["Window"];
            };
        };
        /** @description A version that a person chose as current. */
        VersionChoice: {
            /** Format: date-time */
            at: string;
            note: string;
            /**
             * Format: int32
             * @description The version that is current since then.
             */
            version: number;
            /** @description Name of the person. */
            who: string;
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
            /** @description Metadata that the document states about itself. */
            metadata: Record<string, never>;
            /** Format: int32 */
            number: number;
            sha256: string;
            /** Format: int32 */
            status: number;
            title: string;
            /** @description Location in the WARC files. */
            warc: string;
        };
        /** @description Weights of the components for some kinds; they add up to 100. */
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
            /** @description The scored operation in words. */
            operation_name: string;
            /**
             * Format: double
             * @description Time limit for the scored operation; up to a tenth of it earns full points.
             */
            seconds: number;
            /** Format: double */
            standards: number;
        };
        /** @description Availability and speed over a period. */
        Window: {
            /** Format: int64 */
            available: number;
            /**
             * Format: int64
             * @description Checks that indicate availability.
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
                    "application/json": components["schemas"]["CreatedToken"];
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
                    "application/json": components["schemas"]["AlertTestResult"];
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
            /** @description Error; see `status`. */
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
                /** @description Only entries before this number; 0: the newest. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
                /** @description Timestamp of the run; absent: the latest. */
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
            /** @description Error; see `status`. */
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
                /** @description URL of the item. */
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
            /** @description Error; see `status`. */
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
                /** @description State at this time; absent: now. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
                /** @description Timestamp of the run; absent: the latest. */
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
            /** @description Error; see `status`. */
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
                /** @description Timestamp of the run; absent: the latest. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
                /**
                 * @description Search text: words, "phrases", `wat*`, `roda~`, AND OR NOT, parentheses, `title:`,
                 *     `provider:` and other fields.
                 */
                q?: string;
                /**
                 * @description Box `west,south,east,north` in degrees; if west > east, it crosses the antimeridian.
                 * @example 5,45,11,48
                 */
                bbox?: string;
                /** @description Relation of the record's box to `bbox`: `overlaps` (default), `contains` or `within`. */
                relation?: "overlaps" | "contains" | "within";
                /** @description The record's time must end on or after this date or time. */
                from?: string;
                /** @description The record's time must start before this date or time. */
                to?: string;
                /** @description Search services (default) or layers. */
                by?: "services" | "layers";
                /** @description Sort order: `best` (default), `newest`, `title`, `quality`. */
                sort?: "best" | "newest" | "title" | "quality";
                /** @description Statuses (repeat or separate by commas), or `any`; default: usable services. */
                status?: string[];
                /** @description Kinds (repeat or separate by commas). */
                kind?: string[];
                /** @description Themes (repeat or separate by commas). */
                theme?: string[];
                /** @description Countries of the host, ISO codes (repeat or separate by commas). */
                country?: string[];
                /** @description Providers (repeat). */
                provider?: string[];
                /** @description `76-100`, `51-75`, `26-50`, `0-25`, `unscored` (repeat or separate by commas). */
                quality?: string[];
                /** @description Licences (repeat). */
                licence?: string[];
                /** @description Coordinate systems (repeat or separate by commas). */
                crs?: string[];
                /** @description Languages (repeat or separate by commas). */
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
            /** @description Error; see `status`. */
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
                /** @description Number of the last event that the caller has; the header `Last-Event-ID` takes precedence. */
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
            /** @description Error; see `status`. */
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
                /** @description Only notifications after this number, oldest first; without it the newest come first. */
                after?: number;
                /** @description Only notifications before this number. */
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
            /** @description Error; see `status`. */
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
                /** @description Only notifications after this number, oldest first; without it the newest come first. */
                after?: number;
                /** @description Only notifications before this number. */
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
            /** @description Error; see `status`. */
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
                /** @description A place name, or text that contains one. */
                q?: string;
                /** @description How to interpret the text. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
                /** @description Only notifications after this number, oldest first; without it the newest come first. */
                after?: number;
                /** @description Only notifications before this number. */
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
            /** @description Error; see `status`. */
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
            /** @description Logged in; redirect to the requested page */
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
            /** @description Error; see `status`. */
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
                /** @description Path in this application. */
                back?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Redirect to the provider */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
                /**
                 * @description Search text: words, "phrases", `wat*`, `roda~`, AND OR NOT, parentheses, `title:`,
                 *     `provider:` and other fields.
                 */
                q?: string;
                /**
                 * @description Box `west,south,east,north` in degrees; if west > east, it crosses the antimeridian.
                 * @example 5,45,11,48
                 */
                bbox?: string;
                /** @description Relation of the record's box to `bbox`: `overlaps` (default), `contains` or `within`. */
                relation?: "overlaps" | "contains" | "within";
                /** @description The record's time must end on or after this date or time. */
                from?: string;
                /** @description The record's time must start before this date or time. */
                to?: string;
                /** @description Search services (default) or layers. */
                by?: "services" | "layers";
                /** @description Sort order: `best` (default), `newest`, `title`, `quality`. */
                sort?: "best" | "newest" | "title" | "quality";
                /** @description Statuses (repeat or separate by commas), or `any`; default: usable services. */
                status?: string[];
                /** @description Kinds (repeat or separate by commas). */
                kind?: string[];
                /** @description Themes (repeat or separate by commas). */
                theme?: string[];
                /** @description Countries of the host, ISO codes (repeat or separate by commas). */
                country?: string[];
                /** @description Providers (repeat). */
                provider?: string[];
                /** @description `76-100`, `51-75`, `26-50`, `0-25`, `unscored` (repeat or separate by commas). */
                quality?: string[];
                /** @description Licences (repeat). */
                licence?: string[];
                /** @description Coordinate systems (repeat or separate by commas). */
                crs?: string[];
                /** @description Languages (repeat or separate by commas). */
                language?: string[];
                /** @description Maximum number of hosts. */
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
            /** @description Error; see `status`. */
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
                /** @description Words in the host name. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
                /** @description Full URL, below the endpoint of the record. */
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
            /** @description Response of the service */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The requested range */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
                /** @description Only entries before this number. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
                /** @description Only entries before this number. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
                /** @description Only layers that match this text. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
                /** @description Layer names (repeat); none: all, up to 200. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
                    "application/json": components["schemas"]["NoteReceipt"];
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
                /** @description Also return closed reports. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
                /**
                 * @description Search text: words, "phrases", `wat*`, `roda~`, AND OR NOT, parentheses, `title:`,
                 *     `provider:` and other fields.
                 */
                q?: string;
                /**
                 * @description Box `west,south,east,north` in degrees; if west > east, it crosses the antimeridian.
                 * @example 5,45,11,48
                 */
                bbox?: string;
                /** @description Relation of the record's box to `bbox`: `overlaps` (default), `contains` or `within`. */
                relation?: "overlaps" | "contains" | "within";
                /** @description The record's time must end on or after this date or time. */
                from?: string;
                /** @description The record's time must start before this date or time. */
                to?: string;
                /** @description Search services (default) or layers. */
                by?: "services" | "layers";
                /** @description Sort order: `best` (default), `newest`, `title`, `quality`. */
                sort?: "best" | "newest" | "title" | "quality";
                /** @description Statuses (repeat or separate by commas), or `any`; default: usable services. */
                status?: string[];
                /** @description Kinds (repeat or separate by commas). */
                kind?: string[];
                /** @description Themes (repeat or separate by commas). */
                theme?: string[];
                /** @description Countries of the host, ISO codes (repeat or separate by commas). */
                country?: string[];
                /** @description Providers (repeat). */
                provider?: string[];
                /** @description `76-100`, `51-75`, `26-50`, `0-25`, `unscored` (repeat or separate by commas). */
                quality?: string[];
                /** @description Licences (repeat). */
                licence?: string[];
                /** @description Coordinate systems (repeat or separate by commas). */
                crs?: string[];
                /** @description Languages (repeat or separate by commas). */
                language?: string[];
                /** @description Results per page; 0 returns only the total and the facets. */
                limit?: number;
                /** @description Number of results to skip. */
                offset?: number;
                /** @description Return facet counts. */
                facets?: boolean;
                /** @description Show how each factor contributed to the ranking. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
                /**
                 * @description Search text: words, "phrases", `wat*`, `roda~`, AND OR NOT, parentheses, `title:`,
                 *     `provider:` and other fields.
                 */
                q?: string;
                /**
                 * @description Box `west,south,east,north` in degrees; if west > east, it crosses the antimeridian.
                 * @example 5,45,11,48
                 */
                bbox?: string;
                /** @description Relation of the record's box to `bbox`: `overlaps` (default), `contains` or `within`. */
                relation?: "overlaps" | "contains" | "within";
                /** @description The record's time must end on or after this date or time. */
                from?: string;
                /** @description The record's time must start before this date or time. */
                to?: string;
                /** @description Search services (default) or layers. */
                by?: "services" | "layers";
                /** @description Sort order: `best` (default), `newest`, `title`, `quality`. */
                sort?: "best" | "newest" | "title" | "quality";
                /** @description Statuses (repeat or separate by commas), or `any`; default: usable services. */
                status?: string[];
                /** @description Kinds (repeat or separate by commas). */
                kind?: string[];
                /** @description Themes (repeat or separate by commas). */
                theme?: string[];
                /** @description Countries of the host, ISO codes (repeat or separate by commas). */
                country?: string[];
                /** @description Providers (repeat). */
                provider?: string[];
                /** @description `76-100`, `51-75`, `26-50`, `0-25`, `unscored` (repeat or separate by commas). */
                quality?: string[];
                /** @description Licences (repeat). */
                licence?: string[];
                /** @description Coordinate systems (repeat or separate by commas). */
                crs?: string[];
                /** @description Languages (repeat or separate by commas). */
                language?: string[];
                /** @description Cell size in degrees. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
                /** @description Only the caller's own tasks. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
                /** @description Number of the last event that the caller has; the header `Last-Event-ID` takes precedence. */
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
            /** @description Error; see `status`. */
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
                /** @description Maximum number of seconds to wait for a new event. */
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
                    "application/json": components["schemas"]["EventList"];
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
            /** @description Error; see `status`. */
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
                /** @description Number of the last find that the caller has. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
            /** @description Error; see `status`. */
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
