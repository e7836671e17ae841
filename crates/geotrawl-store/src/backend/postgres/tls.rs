//! TLS connections to the database, with rustls.

use super::location::{CertificateCheck, DatabaseLocation};
use std::sync::Arc;
use tokio_postgres_rustls::MakeRustlsConnect;
use tokio_rustls::rustls::client::WebPkiServerVerifier;
use tokio_rustls::rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use tokio_rustls::rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
};

/// Builds a TLS connector with the certificate check of the location. The error is a sentence.
pub(super) fn build_connector(location: &DatabaseLocation) -> std::result::Result<MakeRustlsConnect, String> {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    let config = if location.trust == CertificateCheck::Anyone {
        let verifier = LenientVerifier { provider, authority: None };
        builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier)).with_no_client_auth()
    } else {
        let roots = read_authorities(location)?;
        if location.trust == CertificateCheck::Name {
            builder.with_root_certificates(roots).with_no_client_auth()
        } else {
            let authority = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider.clone())
                .build()
                .map_err(|error| error.to_string())?;
            let verifier = LenientVerifier { provider, authority: Some(authority) };
            builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier)).with_no_client_auth()
        }
    };
    Ok(MakeRustlsConnect::new(config))
}

fn read_authorities(location: &DatabaseLocation) -> std::result::Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    let Some(path) = &location.authorities else {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
        return Ok(roots);
    };
    let cannot =
        |error: &dyn std::fmt::Display| format!("cannot read certificates in {}: {error}", path.display());
    for certificate in CertificateDer::pem_file_iter(path).map_err(|error| cannot(&error))? {
        roots.add(certificate.map_err(|error| cannot(&error))?).map_err(|error| cannot(&error))?;
    }
    if roots.is_empty() { Err(cannot(&"the file contains none")) } else { Ok(roots) }
}

/// Accepts any certificate, or any certificate of a trusted authority whatever its name (libpq's
/// `require` and `verify-ca`). The server must still prove that it has the private key.
#[derive(Debug)]
struct LenientVerifier {
    provider: Arc<CryptoProvider>,
    authority: Option<Arc<WebPkiServerVerifier>>,
}

impl ServerCertVerifier for LenientVerifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> std::result::Result<ServerCertVerified, Error> {
        let Some(authority) = &self.authority else { return Ok(ServerCertVerified::assertion()) };
        match authority.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now) {
            // The name is checked last, so everything else was valid.
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) => Ok(ServerCertVerified::assertion()),
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> std::result::Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, cert, signed, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> std::result::Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, cert, signed, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
