export function jsonObject(body: unknown): Record<string, unknown> | null {
  let value: unknown
  try {
    value = JSON.parse(String(body))
  } catch {
    return null // Not even JSON.
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}
