import { useState } from 'react'
import { ApiError } from '../api/api-error.ts'

export interface RejectedFile {
  file: File
  reason: string
}

/** The server reports errors in two places. */
function fieldErrorsOf({ reply }: ApiError): { path: string[]; message: string }[] {
  if (Array.isArray(reply.detail)) {
    return reply.detail.map(({ loc, msg }) => ({ path: loc.map(String), message: msg }))
  }
  return (reply.validation_errors ?? []).map(({ field, message }) => ({ path: field.split('.'), message }))
}

/** The server names a file by its place in the form field. */
export function rejectedFilesOf(error: ApiError, sent: Record<string, readonly File[]>): RejectedFile[] {
  return fieldErrorsOf(error).flatMap(({ path, message }) => {
    const field = path.find((part) => part in sent)
    const index = Number(path.find((part) => /^\d+$/.test(part)) ?? 0)
    const file = field === undefined ? undefined : sent[field]?.[index]
    return file ? [{ file, reason: message.replace(`${file.name}: `, '') }] : []
  })
}

/** Until it is deselected: another file of the same name is another. */
export function useRejectedFiles(chosen: readonly File[]) {
  const [all, setAll] = useState<RejectedFile[]>([])
  const refused = all.filter(({ file }) => chosen.includes(file))
  return {
    refused,
    reasonFor: (file: File) => refused.find((one) => one.file === file)?.reason,
    /** True once every refused file was replaced or removed. */
    settled: all.length > 0 && refused.length === 0,
    remember(cause: unknown, sent: Record<string, readonly File[]>) {
      setAll(cause instanceof ApiError ? rejectedFilesOf(cause, sent) : [])
    },
  }
}
