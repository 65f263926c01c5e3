import type { FailureReason, Unanswered } from '../../model/wire.js';

const SOCKET_ERRORS: Readonly<Record<string, [FailureReason, string]>> = {
  ECONNREFUSED: ['refused', 'nothing listens there'],
  ENOTFOUND: ['dns', 'the host name is unknown'],
  EAI_AGAIN: ['dns', 'the host name could not be looked up'],
  EHOSTUNREACH: ['refused', 'the host cannot be reached'],
  ENETUNREACH: ['refused', 'the network cannot be reached'],
  ETIMEDOUT: ['refused', 'the host did not accept the connection'],
  ECONNRESET: ['dropped', 'the connection was closed before a response came'],
  EPIPE: ['dropped', 'the connection was dropped while the request was sent'],
};

const UNTRUSTED = 'its certificate is not from an authority trusted here; give the authority with --ca';
const WANTS_CERTIFICATE = 'it requires a client certificate; give one with --cert and --cert-key';
const NO_TLS = 'what listens there does not speak TLS (should the URL begin with http://?)';

/** What a person can do about a failed handshake, by the code of Node or OpenSSL. */
const TLS_ERRORS: Readonly<Record<string, string>> = {
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  CERT_SIGNATURE_FAILURE: UNTRUSTED,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: WANTS_CERTIFICATE,
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: WANTS_CERTIFICATE,
  'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE': WANTS_CERTIFICATE,
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: WANTS_CERTIFICATE,
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: WANTS_CERTIFICATE,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  EPROTO: NO_TLS,
};

type Failure = Omit<Unanswered, 'durationMs'>;

export function failed(reason: FailureReason, detail: string): Failure {
  return { kind: 'unanswered', reason, detail };
}

/** Why no answer came, from Node's error. */
export function explainFailure(error: NodeJS.ErrnoException, isTls: boolean): Failure {
  const code = error.code ?? '';
  const known = SOCKET_ERRORS[code];
  if (known !== undefined) return failed(...known);
  if (code.startsWith('HPE_')) return failed('no-http', `what came is not HTTP/1.1 (${code})`);
  const what = code === '' ? error.message : code;
  const advice = TLS_ERRORS[code];
  if (isTls && advice !== undefined) return failed('tls', `the connection could not be secured: ${advice} (${code})`);
  return isTls
    ? failed('tls', `the connection could not be secured (${what})`)
    : failed('dropped', `the connection failed (${what})`);
}

/** The same for a proxy, which it names. */
export function explainProxyFailure(error: NodeJS.ErrnoException, proxy: string): Failure {
  const { detail } = explainFailure(error, proxy.startsWith('https:'));
  return failed('proxy', `the proxy ${proxy} cannot be used: ${detail}`);
}
