import { parseJson } from '@assay/shared/rules/parse-json.ts'

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function jsonObject(body: unknown): Record<string, unknown> | null {
  const value = parseJson(String(body))
  return isObject(value) ? value : null
}
