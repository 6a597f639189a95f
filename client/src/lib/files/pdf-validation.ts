import { MAX_FILES_PER_UPLOAD, MAX_PDF_BYTES } from '@assay/shared/rules/limits.ts'

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
