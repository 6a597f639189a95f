import type { ApiError } from './api-error.ts'
import type { Refused } from './pdf-files.ts'

/** What is wrong where, from either place the server says it in. */
function problemsOf({ reply }: ApiError): { path: string[]; message: string }[] {
  if (Array.isArray(reply.detail)) {
    return reply.detail.map(({ loc, msg }) => ({ path: loc.map(String), message: msg }))
  }
  return (reply.validation_errors ?? []).map(({ field, message }) => ({ path: field.split('.'), message }))
}

/** Files the server refused, by name. `files` are those sent, by form field; a reason may name its file itself. */
export function refusedFiles(error: ApiError, files: Record<string, readonly File[]>): Refused[] {
  return problemsOf(error).flatMap(({ path, message }) => {
    const field = path.find((part) => part in files)
    if (field === undefined) return []
    const sent = files[field] ?? []
    const index = Number(path.find((part) => /^\d+$/.test(part)) ?? 0)
    const file = sent.find(({ name }) => message.includes(name)) ?? sent[index]
    return [{ name: file?.name ?? field, reason: message }]
  })
}
