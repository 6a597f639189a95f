import { AsyncLocalStorage } from 'node:async_hooks'
import { AppError, notFound } from './app-error.ts'

/** `hidden`: the person may not know that the thing exists, so the answer is 404. */
export type Permission = 'yes' | 'forbidden' | 'hidden'

const permissionContext = new AsyncLocalStorage<{ permission: boolean }>()

/** Throws 403 or 404 unless permitted. */
export function allow(permission: Permission): void {
  const request = permissionContext.getStore()
  if (request) request.permission = true
  if (permission === 'hidden') throw notFound()
  if (permission === 'forbidden') throw new AppError('auth_insufficient_permissions')
}

/** Reports whether the handler checked permission: one that did not is a security hole, whatever it answered. */
export async function runWithPermissionCheck<T>(
  run: () => Promise<T>,
): Promise<{ result: T; permissionAsked: boolean }> {
  const request = { permission: false }
  const result = await permissionContext.run(request, run)
  return { result, permissionAsked: request.permission }
}
