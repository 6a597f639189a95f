/** In any encoding, and nothing else: papers have “a basic oxide” and criteria such as `key-points-1`. */
export function redactApiKey(text: string, apiKey: string): string {
  // Shorter ones are no secrets (`none`, `x`), and would garble the text.
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

/** Provider errors may repeat what was sent. */
export function redactKeys(text: string, apiKey: string): string {
  return redactApiKey(text, apiKey)
    .replace(/\b(bearer|basic)\s+[\w.~+/=*-]{4,}/gi, '$1 [key]')
    .replace(/\b(sk|pk|key)[-_][\w*.-]{6,}/g, '[key]')
    .replace(/\bAIza[\w-]{20,}/g, '[key]')
}
