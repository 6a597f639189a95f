import { AppError } from '../http/app-error.ts'

export class FileStoreUnreachableError extends AppError {
  constructor(cause: unknown) {
    super('paper_store_unreachable', undefined, { cause, retryAfter: 10 })
  }
}
