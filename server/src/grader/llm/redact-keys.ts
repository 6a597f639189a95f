/**
 * Takes the key itself out of a text, in whatever spelling. Nothing else: an answer is about papers, where “a basic oxide” and a
 * criterion named `key-points-1` are no keys.
 */
export function redactApiKey(text: string, apiKey: string): string {
  // Shorter ones are no secrets (`none`, `x`), and taking them out would only garble.
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
 * Takes keys out of a provider's words about an error, which may repeat what it was sent: the key itself, and anything that looks
 * like one.
 */
export function redactKeys(text: string, apiKey: string): string {
  return redactApiKey(text, apiKey)
    .replace(/\b(bearer|basic)\s+[\w.~+/=*-]{4,}/gi, '$1 [key]')
    .replace(/\b(sk|pk|key)[-_][\w*.-]{6,}/g, '[key]')
    .replace(/\bAIza[\w-]{20,}/g, '[key]')
}
