// OpenSSL, and what of it are macros or variadics and so invisible to Swift.
#pragma once
#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/srtp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

static inline EVP_PKEY *cb_generate_p256_key(void) { return EVP_EC_gen("P-256"); }

/// DTLS 1.2 and later only, no renegotiation, and no asking the kernel for a path's MTU: there is no socket.
static inline void cb_ssl_ctx_restrict(SSL_CTX *ctx) {
    SSL_CTX_set_min_proto_version(ctx, DTLS1_2_VERSION);
    SSL_CTX_set_options(ctx, SSL_OP_NO_QUERY_MTU | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_NO_TICKET);
    SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_OFF);
}

static inline void cb_ssl_set_mtu(SSL *ssl, long mtu) { SSL_set_mtu(ssl, mtu); }

/// A memory BIO that says "try again" when it is empty, and not "end of file".
static inline BIO *cb_new_memory_bio(void) {
    BIO *bio = BIO_new(BIO_s_mem());
    if (bio) BIO_set_mem_eof_return(bio, -1);
    return bio;
}

static inline void cb_bio_clear(BIO *bio) { (void)BIO_reset(bio); }

/// Microseconds until the current flight is to be sent again; -1 when nothing is waiting.
static inline long long cb_dtls_timeout(SSL *ssl) {
    struct timeval left;
    return DTLSv1_get_timeout(ssl, &left) == 1 ? left.tv_sec * 1000000LL + left.tv_usec : -1;
}

static inline long cb_dtls_handle_timeout(SSL *ssl) { return DTLSv1_handle_timeout(ssl); }
static inline int cb_err_reason(unsigned long error) { return ERR_GET_REASON(error); }
