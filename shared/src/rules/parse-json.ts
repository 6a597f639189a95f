/** Undefined for what is no JSON; a schema then says what was wanted. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
