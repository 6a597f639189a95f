import type { ApiError } from './api-error.ts'
import type { Refused } from './pdf-files.ts'

/**
 * Files the server refused, by name. `files` are those sent, by form field; a reason that names its file itself is
 * kept as it is.
 */
export function refusedFiles(error: ApiError, files: Record<string, readonly File[]>): Refused[] {
  if (!Array.isArray(error.reply.detail)) return []
  return error.reply.detail.flatMap(({ loc, msg }) => {
    const field = loc.findLast((part) => typeof part === 'string' && part in files)
    if (typeof field !== 'string') return []
    const index = loc.findLast((part) => typeof part === 'number')
    const sent = files[field] ?? []
    const named = sent.find((file) => msg.includes(file.name))
    const file = named ?? sent[typeof index === 'number' ? index : 0]
    return [{ name: file?.name ?? field, reason: msg }]
  })
}
