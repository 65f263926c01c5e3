/**
 * Whether clients send a header field by themselves, unasked: a browser says `Accept-Language: de-DE,de;q=0.9`, a list of
 * wishes that a service need not refuse (RFC 9110 section 12.5.4). So its value breaks no schema.
 */
export function isClientsOwn(name: string): boolean {
  return CLIENTS_OWN.test(name);
}

/** RFC 9110 sections 7.2, 10.1 and 12.5; the forbidden request headers of the Fetch standard; those of browsers. */
const CLIENTS_OWN =
  /^(?:accept-(?:language|encoding|charset)|user-agent|host|origin|referer|connection|keep-alive|content-length|cache-control|pragma|te|trailer|transfer-encoding|upgrade|upgrade-insecure-requests|via|dnt|priority|save-data|access-control-request-.*|sec-.*|proxy-.*)$/i;
