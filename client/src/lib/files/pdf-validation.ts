import { MAX_FILES_PER_UPLOAD, MAX_PDF_BYTES } from '@assay/shared/rules/limits.ts'
import { useState } from 'react'
import { ApiError } from '../api/api-error.ts'

interface InvalidFile {
  name: string
  reason: string
}

const isPdf = (file: File) => file.type === 'application/pdf' || /\.pdf$/i.test(file.name)

/** `have` counts files chosen before, of `most` in all. */
export function partitionPdfs(
  files: readonly File[],
  have = 0,
  most = MAX_FILES_PER_UPLOAD,
  maxBytes = MAX_PDF_BYTES,
): { taken: File[]; refused: InvalidFile[] } {
  const taken: File[] = []
  const refused: InvalidFile[] = []
  for (const file of files) {
    const reason = !isPdf(file)
      ? 'Only PDF files are allowed'
      : file.size > maxBytes
        ? `File size must be less than ${Math.ceil(maxBytes / 2 ** 20)}MB`
        : file.size === 0
          ? 'The file is empty'
          : /\p{Cc}/u.test(file.name)
            ? 'The file name contains unsupported characters. Rename the file'
            : have + taken.length >= most
              ? `Only ${most} files can be uploaded at once`
              : null
    if (reason) refused.push({ name: file.name, reason })
    else taken.push(file)
  }
  return { taken, refused }
}

export function rejectionMessage(refused: readonly InvalidFile[]): string {
  return `Some files were rejected: ${refused.map(({ name, reason }) => `${name} (${reason})`).join(', ')}`
}

/** 0..1 for each file: a form sends them in order. */
export function sentFractions(sizes: readonly number[], sent: number, total: number): number[] {
  // The form's own bytes, a few hundred a file, are spread evenly.
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  let left = total > 0 ? (sent / total) * bytes : 0
  return sizes.map((size) => {
    const share = size === 0 ? (left > 0 ? 1 : 0) : Math.min(1, Math.max(0, left / size))
    left -= size
    return share
  })
}

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

const isSameFile = (a: File, b: File) => a.name === b.name && a.size === b.size && a.lastModified === b.lastModified

export function appendNewFiles(have: readonly File[], added: readonly File[]): File[] {
  return [...have, ...added.filter((file) => !have.some((old) => isSameFile(old, file)))]
}
