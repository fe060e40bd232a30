//! The shop whose services write the lines.

/// What sends lines, and what it sends.
pub(super) struct Service {
    pub(super) name: &'static str,
    /// `BACKEND`, `FRONTEND`, `MOBILE`, `WORKER` or `IOT`.
    pub(super) log_type: &'static str,
    /// How much of all it writes.
    pub(super) weight: f64,
    /// How often a line is an error.
    pub(super) errors: f64,
    /// Of its source files.
    pub(super) extension: &'static str,
    pub(super) paths: &'static [Path],
    pub(super) faults: &'static [Fault],
    pub(super) functions: &'static [&'static str],
    /// What it says when all is well.
    pub(super) messages: &'static [&'static str],
}

pub(super) struct Path {
    pub(super) path: Option<&'static str>,
    pub(super) method: Option<&'static str>,
    pub(super) weight: f64,
    /// How long a request takes in the middle.
    pub(super) milliseconds: f64,
}

#[derive(Clone, Copy)]
pub(super) struct Fault {
    pub(super) error_type: &'static str,
    pub(super) weight: f64,
    pub(super) message: &'static str,
}

const fn route(path: &'static str, method: Option<&'static str>, weight: f64, milliseconds: f64) -> Path {
    Path { path: Some(path), method, weight, milliseconds }
}

const fn fault(error_type: &'static str, weight: f64, message: &'static str) -> Fault {
    Fault { error_type, weight, message }
}

const GET: Option<&str> = Some("GET");
const POST: Option<&str> = Some("POST");
const PUT: Option<&str> = Some("PUT");
const PATCH: Option<&str> = Some("PATCH");

pub(super) const SERVICES: &[Service] = &[
    Service {
        name: "payment-api",
        log_type: "BACKEND",
        weight: 14.0,
        errors: 0.06,
        extension: "java",
        paths: &[
            route("/api/v1/payment", POST, 5.0, 240.0),
            route("/api/v1/payment/{id}", GET, 3.0, 60.0),
            route("/api/v1/refund", POST, 1.0, 420.0),
        ],
        faults: &[
            fault("PaymentGatewayTimeout", 5.0, "PG gateway timeout after 30000ms"),
            fault(
                "DatabaseConnectionError",
                3.0,
                "Connection pool exhausted: could not acquire connection within 5s",
            ),
            fault("InsufficientFunds", 3.0, "Payment declined: insufficient funds"),
            fault("CardValidationError", 2.0, "Card validation failed"),
        ],
        functions: &["processPayment", "refundPayment", "verifyCard"],
        messages: &["Payment approved", "Payment requested", "Refund completed"],
    },
    Service {
        name: "order-api",
        log_type: "BACKEND",
        weight: 15.0,
        errors: 0.05,
        extension: "java",
        paths: &[
            route("/api/v1/orders", POST, 4.0, 180.0),
            route("/api/v1/orders/{id}", GET, 5.0, 70.0),
            route("/api/v1/orders/{id}", PUT, 1.0, 150.0),
            route("/api/v1/cart", GET, 3.0, 55.0),
        ],
        faults: &[
            fault("InventoryReserveFailed", 4.0, "Failed to reserve stock for order"),
            fault("OrderValidationError", 3.0, "Order validation failed: missing field shippingAddress"),
            fault("DeadlockDetected", 1.0, "Database deadlock detected while updating order"),
            fault("UpstreamTimeout", 3.0, "Upstream payment-api timeout after 10000ms"),
        ],
        functions: &["createOrder", "updateOrder", "getCart"],
        messages: &["Order created", "Order status changed to SHIPPED", "Cart loaded"],
    },
    Service {
        name: "user-api",
        log_type: "BACKEND",
        weight: 12.0,
        errors: 0.035,
        extension: "py",
        paths: &[
            route("/api/v1/users/{id}", GET, 5.0, 45.0),
            route("/api/v1/users", POST, 1.0, 130.0),
            route("/api/v1/users/{id}", PATCH, 1.0, 95.0),
        ],
        faults: &[
            fault("UserNotFound", 4.0, "User not found"),
            fault("DuplicateEmail", 2.0, "Duplicate email registration"),
            fault("DatabaseConnectionError", 1.0, "Connection reset by peer"),
        ],
        functions: &["get_user", "create_user"],
        messages: &["Profile loaded", "User registered", "Profile updated", "Account delete requested"],
    },
    Service {
        name: "auth-api",
        log_type: "BACKEND",
        weight: 11.0,
        errors: 0.045,
        extension: "go",
        paths: &[
            route("/api/v1/login", POST, 5.0, 110.0),
            route("/api/v1/token/refresh", POST, 4.0, 35.0),
            route("/api/v1/logout", POST, 1.0, 20.0),
        ],
        faults: &[
            fault("AuthenticationFailed", 5.0, "Authentication failed: invalid password"),
            fault("TokenExpired", 4.0, "JWT token expired"),
            fault("PermissionDenied", 1.0, "Permission denied: role USER cannot access /admin"),
        ],
        functions: &["Login", "RefreshToken", "CheckRole"],
        messages: &["Login succeeded", "Token refreshed", "Logout"],
    },
    Service {
        name: "inventory-api",
        log_type: "BACKEND",
        weight: 8.0,
        errors: 0.055,
        extension: "py",
        paths: &[route("/api/v1/stock", GET, 5.0, 85.0), route("/api/v1/stock/reserve", POST, 2.0, 160.0)],
        faults: &[
            fault("StockMismatch", 3.0, "Stock mismatch between cache and database"),
            fault("OutOfStock", 4.0, "Product out of stock"),
            fault("RedisTimeout", 2.0, "Redis timeout after 2000ms"),
        ],
        functions: &["get_stock", "reserve_stock"],
        messages: &["Stock checked", "Stock reserved"],
    },
    Service {
        name: "notification-api",
        log_type: "BACKEND",
        weight: 8.0,
        errors: 0.07,
        extension: "js",
        paths: &[route("/api/v1/notify", POST, 5.0, 210.0), route("/api/v1/notify/bulk", POST, 1.0, 900.0)],
        faults: &[
            fault("SmtpError", 4.0, "SMTP server rejected recipient"),
            fault("PushTokenInvalid", 3.0, "Push token invalid"),
            fault("RateLimitExceeded", 2.0, "Rate limit exceeded for provider"),
        ],
        functions: &["sendMail", "sendPush"],
        messages: &["Mail queued", "Push sent"],
    },
    Service {
        name: "product-api",
        log_type: "BACKEND",
        weight: 12.0,
        errors: 0.04,
        extension: "go",
        paths: &[
            route("/api/v1/search", GET, 6.0, 190.0),
            route("/api/v1/products/{id}", GET, 6.0, 50.0),
            route("/api/v1/recommend", GET, 2.0, 320.0),
        ],
        faults: &[
            fault("SearchTimeout", 4.0, "Elasticsearch query timeout after 3000ms"),
            fault("ProductNotFound", 3.0, "Product not found"),
            fault("RedisTimeout", 1.0, "Redis timeout after 2000ms"),
        ],
        functions: &["Search", "GetProduct", "Recommend"],
        messages: &["Search completed", "Product viewed", "Recommendation served"],
    },
    Service {
        name: "web-app",
        log_type: "FRONTEND",
        weight: 10.0,
        errors: 0.09,
        extension: "tsx",
        paths: &[
            route("/", None, 4.0, 0.0),
            route("/products", None, 4.0, 0.0),
            route("/cart", None, 3.0, 0.0),
            route("/checkout", None, 3.0, 0.0),
            route("/mypage", None, 1.0, 0.0),
        ],
        faults: &[
            fault("TypeError", 5.0, "Cannot read properties of undefined (reading 'price')"),
            fault("NetworkError", 3.0, "Failed to fetch"),
            fault("ChunkLoadError", 1.0, "Loading chunk 12 failed"),
        ],
        functions: &["CheckoutPage", "CartView", "fetchJson"],
        messages: &["Page loaded", "Button clicked", "Form submitted"],
    },
    Service {
        name: "mobile-app",
        log_type: "MOBILE",
        weight: 5.0,
        errors: 0.08,
        extension: "kt",
        paths: &[
            route("home", None, 4.0, 0.0),
            route("product_detail", None, 3.0, 0.0),
            route("checkout", None, 2.0, 0.0),
        ],
        faults: &[
            fault("NetworkError", 4.0, "Unable to resolve host"),
            fault("OutOfMemoryError", 1.0, "Failed to allocate bitmap"),
            fault("IllegalStateException", 2.0, "Fragment not attached to activity"),
        ],
        functions: &["onViewCreated", "loadImage"],
        messages: &["Screen opened", "API call finished"],
    },
    Service {
        name: "batch-worker",
        log_type: "WORKER",
        weight: 3.0,
        errors: 0.08,
        extension: "py",
        paths: &[Path { path: None, method: None, weight: 1.0, milliseconds: 4000.0 }],
        faults: &[
            fault("JobTimeout", 3.0, "Settlement job exceeded 600s"),
            fault("FileNotFound", 1.0, "Input file missing"),
        ],
        functions: &["run_settlement", "run_report"],
        messages: &["Settlement job finished", "Report job finished"],
    },
    Service {
        name: "sensor-hub",
        log_type: "IOT",
        weight: 2.0,
        errors: 0.06,
        extension: "rs",
        paths: &[route("/ingest", POST, 1.0, 15.0)],
        faults: &[
            fault("DeviceOffline", 4.0, "Sensor did not report for 300s"),
            fault("ChecksumError", 1.0, "Payload checksum mismatch"),
        ],
        functions: &["handle_ingest"],
        messages: &["Reading stored"],
    },
];

/// Browsers, how common they are, and what they run on.
pub(super) const BROWSERS: [(&str, f64, &str); 5] = [
    ("Chrome", 62.0, "desktop"),
    ("Safari", 18.0, "mobile"),
    ("Edge", 9.0, "desktop"),
    ("Samsung Internet", 8.0, "mobile"),
    ("Firefox", 3.0, "desktop"),
];

/// The status of a request that failed for a reason of its own.
pub(super) fn status_of(error_type: &str) -> Option<u32> {
    Some(match error_type {
        "AuthenticationFailed" | "TokenExpired" => 401,
        "PermissionDenied" => 403,
        "UserNotFound" | "ProductNotFound" => 404,
        "OutOfStock" | "DuplicateEmail" => 409,
        "InsufficientFunds" => 402,
        "CardValidationError" | "OrderValidationError" => 400,
        "RateLimitExceeded" => 429,
        _ => return None,
    })
}

pub(super) fn service(name: &str) -> &'static Service {
    let found = SERVICES.iter().find(|service| service.name == name);
    found.unwrap_or(&SERVICES[0])
}

/// The version before and after the last rollout.
pub(super) fn versions(service: &str) -> [&'static str; 2] {
    match service {
        "order-api" => ["v2.3.1", "v2.4.0"],
        "payment-api" => ["v3.1.0", "v3.1.1"],
        _ => ["v1.8.2", "v1.9.0"],
    }
}
