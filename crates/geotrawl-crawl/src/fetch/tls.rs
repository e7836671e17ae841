//! TLS settings: trusted certificate authorities, and messages for failed handshakes.

use super::failure::{FailureClass, FetchError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::{self, CertificateError, ClientConfig, RootCertStore};

/// Why TLS cannot be set up; usually one of the operator's certificate files.
#[derive(Debug, thiserror::Error)]
pub enum TlsSetupError {
    #[error("the certificate file {path} cannot be read: {cause}")]
    Unreadable { path: PathBuf, cause: String },
    #[error("the certificate file {path} contains no certificate authority")]
    Empty { path: PathBuf },
    #[error("the TLS library rejected its settings: {0}")]
    Library(#[from] rustls::Error),
}

/// Returns the settings for all connections: HTTP/2 and 1.1, public roots and `extra_roots`.
pub(super) fn client_config(extra_roots: &[PathBuf]) -> Result<Arc<ClientConfig>, TlsSetupError> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(webpki_root_certs::TLS_SERVER_ROOT_CERTS.iter().cloned());
    for path in extra_roots {
        add_roots(&mut roots, path)?;
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

fn add_roots(roots: &mut RootCertStore, path: &Path) -> Result<(), TlsSetupError> {
    let unreadable = |cause: String| TlsSetupError::Unreadable { path: path.to_owned(), cause };
    let mut added = 0;
    for certificate in CertificateDer::pem_file_iter(path).map_err(|error| unreadable(error.to_string()))? {
        let certificate = certificate.map_err(|error| unreadable(error.to_string()))?;
        roots.add(certificate).map_err(|error| unreadable(error.to_string()))?;
        added += 1;
    }
    if added == 0 { Err(TlsSetupError::Empty { path: path.to_owned() }) } else { Ok(()) }
}

/// Describes why a handshake failed.
pub(super) fn handshake_error(error: &io::Error) -> FetchError {
    let cause = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
    match cause {
        Some(rustls::Error::InvalidCertificate(problem)) => {
            let words = match problem {
                CertificateError::Expired | CertificateError::ExpiredContext { .. } => "it has expired",
                CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
                    "it is not valid yet"
                }
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                    "it is for another host name"
                }
                CertificateError::UnknownIssuer => "its issuer is not trusted",
                CertificateError::Revoked => "it has been revoked",
                _ => {
                    let message = format!("The server's certificate is not valid ({problem})");
                    return FetchError::lasting(FailureClass::Tls, message);
                }
            };
            FetchError::lasting(FailureClass::Tls, format!("The server's certificate is not valid: {words}"))
        }
        Some(cause) => {
            FetchError::lasting(FailureClass::Tls, format!("The secure connection failed ({cause})"))
        }
        None if error.kind() == io::ErrorKind::UnexpectedEof => FetchError::passing(
            FailureClass::Tls,
            "The server closed the connection during the TLS handshake",
        ),
        None => FetchError::passing(FailureClass::Tls, format!("The secure connection broke ({error})")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_certificate_file_is_told_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("missing.pem");
        let error = client_config(std::slice::from_ref(&missing)).unwrap_err().to_string();
        assert!(error.contains("missing.pem"), "{error}");
        let empty = folder.path().join("empty.pem");
        std::fs::write(&empty, "nothing").unwrap();
        assert!(matches!(client_config(&[empty]), Err(TlsSetupError::Empty { .. })));
        assert!(client_config(&[]).is_ok());
    }
}
