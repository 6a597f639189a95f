import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Endpoint, FileFields, FileType } from '@assay/shared/http/endpoint.ts'
import type { ErrorCode, ErrorDetail } from '@assay/shared/http/errors.ts'
import {
  MAX_CLASS_SCAN_BYTES,
  MAX_CSV_BYTES,
  MAX_FILES_PER_UPLOAD,
  MAX_PDF_BYTES,
  MAX_PHOTO_BYTES,
} from '@assay/shared/rules/limits.ts'
import type { Request, Response } from 'express'
import multer, { MulterError, type StorageEngine } from 'multer'
import { z } from 'zod'
import { pictureType } from '../picture-type.ts'
import { diskSpace } from '../storage/disk-space.ts'
import { AppError } from './app-error.ts'

export interface ReceivedFile {
  field: string
  name: string
  path: string
  size: number
  hash: string
}

export type FilesOf<E extends Endpoint> =
  NonNullable<E['files']> extends infer F
    ? { [K in keyof F]: F[K] extends 'one' ? ReceivedFile | undefined : ReceivedFile[] }
    : never

export interface Upload {
  fields: Record<string, unknown>
  files: Record<string, ReceivedFile | ReceivedFile[] | undefined>
  /** One error names every refused file with its reason. */
  throwIfRejected(): void
  discard(): Promise<void>
}

/** A form whose file is far larger is cut off rather than read to its end. */
const HARD_LIMIT_BYTES = 4 * MAX_PDF_BYTES
const SIGNATURE_WINDOW_BYTES = 1024
/** Held in memory: a title, some dates, and a flag for each file. */
const MAX_FIELDS = 50
const MAX_FIELD_BYTES = 4 * 1024

const StoredFile = z.object({ path: z.string(), size: z.number(), hash: z.string(), problem: z.string().nullable() })

const ROOM_CHECK_BYTES = 4 * 1024 * 1024

type RequireRoom = (bytes: number) => Promise<void>

/** Drops what is beyond the limit. Checks the disk, as forms need not declare their length. */
function createMeasuringStream(limit: number, requireRoom: RequireRoom) {
  const hash = createHash('sha256')
  let size = 0
  let unchecked = ROOM_CHECK_BYTES
  let head = Buffer.alloc(0)
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (head.length < SIGNATURE_WINDOW_BYTES) head = Buffer.concat([head, chunk]).subarray(0, SIGNATURE_WINDOW_BYTES)
      if (size > limit) return done()
      hash.update(chunk)
      unchecked += chunk.length
      if (unchecked < ROOM_CHECK_BYTES) return done(null, chunk)
      unchecked = 0
      requireRoom(chunk.length).then(() => done(null, chunk), done)
    },
  })
  return { stream, result: () => ({ size, head, hash: hash.digest('hex') }) }
}

interface FileRule {
  maxBytes: number
  emptyMessage: string
  tooLargeMessage: string
  wrongTypeMessage: string
  matches(name: string, head: Buffer): boolean
}

const fileRules: Record<FileType, FileRule> = {
  pdf: {
    maxBytes: MAX_PDF_BYTES,
    emptyMessage: 'The file is empty. Export it as PDF and upload it again.',
    tooLargeMessage: 'File size must be less than 50MB',
    wrongTypeMessage: 'Only PDF files are allowed',
    // By content: readers accept the signature anywhere in the first 1,024 bytes.
    matches: (_name, head) => head.includes('%PDF-'),
  },
  picture: {
    maxBytes: MAX_PHOTO_BYTES,
    emptyMessage: 'The file is empty. Choose the picture again.',
    tooLargeMessage: 'A picture must be less than 25 MB',
    wrongTypeMessage: 'Only JPEG, PNG, WebP and HEIC pictures are allowed',
    matches: (_name, head) => pictureType(head) !== null,
  },
  'class-scan': {
    maxBytes: MAX_CLASS_SCAN_BYTES,
    emptyMessage: 'The file is empty. Scan it again and upload the new file.',
    tooLargeMessage:
      'A file of a class scan must be less than 100 MB. Scan in grey at 150 to 200 dpi, or into several files.',
    wrongTypeMessage: 'Only PDF files are allowed',
    matches: (_name, head) => head.includes('%PDF-'),
  },
  csv: {
    maxBytes: MAX_CSV_BYTES,
    emptyMessage: 'The file is empty. Save the sheet as CSV and upload it again.',
    tooLargeMessage: 'File size must be less than 10MB',
    wrongTypeMessage: 'Please select a CSV file',
    // Text has no signature. Gradebooks' .xls exports are text with tabs.
    matches: (name) => /\.(csv|xls)$/i.test(name),
  },
}

function rejectionReason(rule: FileRule, name: string, size: number, head: Buffer): string | null {
  if (size === 0) return rule.emptyMessage
  if (size > rule.maxBytes) return rule.tooLargeMessage
  return rule.matches(name, head) ? null : rule.wrongTypeMessage
}

function diskStorage(folder: string, written: string[], rule: FileRule, requireRoom: RequireRoom): StorageEngine {
  return {
    _handleFile(_request, file, done) {
      const path = join(folder, randomUUID())
      written.push(path)
      const measured = createMeasuringStream(rule.maxBytes, requireRoom)
      pipeline(file.stream, measured.stream, createWriteStream(path, { mode: 0o600 })).then(
        () => {
          const { size, head, hash } = measured.result()
          done(null, {
            path,
            size,
            hash,
            problem: rejectionReason(rule, file.originalname, size, head),
          } as Partial<Express.Multer.File>)
        },
        (error: unknown) => done(error),
      )
    },
    _removeFile(_request, file, done) {
      rm(file.path, { force: true }).then(() => done(null), done)
    },
  }
}

/** Errors of multer (caller hung up) and busboy (bad form), told apart only by message; any other is our fault. */
const formErrorPattern =
  /^(Request (aborted|closed|error)|aborted|read ECONNRESET|Unexpected end of|Malformed |Multipart: |Missing Content-Type|Unsupported content type|Premature close)/

function toAppError(error: unknown): unknown {
  const refused = (code: ErrorCode, message?: string) => new AppError(code, message, { cause: error })
  if (error instanceof MulterError) {
    switch (error.code) {
      case 'LIMIT_FILE_SIZE':
        return refused('file_too_large')
      case 'LIMIT_FILE_COUNT':
        return refused('files_refused', `Upload at most ${MAX_FILES_PER_UPLOAD} files at once.`)
      case 'LIMIT_FIELD_COUNT':
        return refused('payload_too_large', 'The form has more fields than any form of Assay.')
      case 'LIMIT_FIELD_VALUE':
      case 'LIMIT_FIELD_KEY':
        return refused('payload_too_large', `The field “${(error.field ?? '').slice(0, 100)}” is too long. Shorten it.`)
      default:
        return refused('bad_request', `The form could not be read: ${error.message}.`)
    }
  }
  if (!(error instanceof Error && formErrorPattern.test(error.message))) return error
  // A control character in a file's name ends the reading of its part.
  if (error.message.startsWith('Malformed part header'))
    return refused(
      'bad_request',
      'A file name contains characters that cannot be uploaded. Rename the file and try again.',
    )
  return refused('bad_request', 'The upload was interrupted. Please try again.')
}

/** @throws {AppError} `storage_full` */
export async function requireFreeDisk(folder: string, minFreeBytes: number, neededBytes: number): Promise<void> {
  const { free_bytes: free } = await diskSpace(folder)
  if (free - neededBytes < minFreeBytes) throw new AppError('storage_full')
}

interface UploadOptions {
  folder: string
  fileType?: FileType | undefined
  requireRoom: RequireRoom
}

export async function receiveUpload(
  request: Request,
  response: Response,
  fields: FileFields,
  { folder, fileType = 'pdf', requireRoom }: UploadOptions,
): Promise<Upload> {
  if (!request.is('multipart/form-data')) {
    throw new AppError('unsupported_media_type', 'Send this as multipart/form-data.')
  }
  const rule = fileRules[fileType]
  const written: string[] = []
  const discard = async () => {
    await Promise.all(written.map((path) => rm(path, { force: true })))
  }
  const parse = multer({
    storage: diskStorage(folder, written, rule, requireRoom),
    limits: {
      fileSize: HARD_LIMIT_BYTES,
      files: MAX_FILES_PER_UPLOAD + 2,
      fields: MAX_FIELDS + (Object.values(fields).includes('many') ? MAX_FILES_PER_UPLOAD : 0),
      fieldSize: MAX_FIELD_BYTES,
    },
    defParamCharset: 'utf8',
  }).fields(
    Object.entries(fields).map(([name, many]) => ({ name, maxCount: many === 'one' ? 1 : MAX_FILES_PER_UPLOAD })),
  )
  try {
    await new Promise<void>((resolve, reject) => {
      parse(request, response, (error: unknown) => (error ? reject(toAppError(error)) : resolve()))
    })
  } catch (error) {
    await discard()
    throw error
  }
  const byField = (request.files ?? {}) as Record<string, Express.Multer.File[]>
  const problems: ErrorDetail[] = []
  const files: Upload['files'] = {}
  for (const [name, many] of Object.entries(fields)) {
    const received = (byField[name] ?? []).map((file, i) => {
      const stored = StoredFile.parse(file)
      if (stored.problem) {
        const msg = `${file.originalname}: ${stored.problem}`
        problems.push({
          loc: many === 'one' ? ['body', name] : ['body', name, i],
          msg,
          type: stored.problem === rule.tooLargeMessage ? 'too_large' : `not_${fileType}`,
        })
      }
      return { field: name, name: file.originalname, path: stored.path, size: stored.size, hash: stored.hash }
    })
    files[name] = many === 'one' ? received[0] : received
  }
  return {
    fields: { ...request.body },
    files,
    throwIfRejected() {
      if (problems.length === 0) return
      const tooLarge = fileType === 'pdf' && problems.every((problem) => problem.type === 'too_large')
      const list = problems.map((problem) => problem.msg).join('; ')
      throw new AppError(tooLarge ? 'file_too_large' : 'files_refused', `Some files were rejected: ${list}`, {
        details: problems,
      })
    },
    discard,
  }
}
