import { AppError } from '../http/app-error.ts'

/** The store does not answer for now; nothing is wrong with the paper. */
export class FileStoreUnreachableError extends AppError {
  constructor(cause: unknown) {
    super('paper_store_unreachable', undefined, { cause, retryAfter: 10 })
  }
}
