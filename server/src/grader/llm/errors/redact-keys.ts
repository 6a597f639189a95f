/**
 * Redacts the key in any encoding. Nothing else: a response is about papers, where “a basic oxide” and a
 * criterion named `key-points-1` are no keys.
 */
export function redactApiKey(text: string, apiKey: string): string {
  // Shorter ones are no secrets (`none`, `x`), and redacting them would garble the text.
  if (apiKey.length < 6) return text
  const inJson = JSON.stringify(apiKey).slice(1, -1)
  const spellings = [
    apiKey,
    inJson,
    inJson.replaceAll('/', '\\/'),
    encodeURIComponent(apiKey),
    Buffer.from(apiKey).toString('base64'),
    Buffer.from(apiKey).toString('base64url'),
  ]
  return spellings.reduce((clean, spelling) => clean.replaceAll(spelling, '[key]'), text)
}

/**
 * Redacts keys in a provider's error message, which may repeat what was sent: the key itself, and anything that looks like one.
 */
export function redactKeys(text: string, apiKey: string): string {
  return redactApiKey(text, apiKey)
    .replace(/\b(bearer|basic)\s+[\w.~+/=*-]{4,}/gi, '$1 [key]')
    .replace(/\b(sk|pk|key)[-_][\w*.-]{6,}/g, '[key]')
    .replace(/\bAIza[\w-]{20,}/g, '[key]')
}
