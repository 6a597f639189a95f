import { AsyncLocalStorage } from 'node:async_hooks'
import { AppError, notFound } from './app-error.ts'

export type Permission = 'yes' | 'forbidden' | 'hidden'
const permissionContext = new AsyncLocalStorage<{ permission: boolean }>()

/** @throws {AppError} 403 or 404 unless permitted */
export function allow(permission: Permission): void {
  const request = permissionContext.getStore()
  if (request) request.permission = true
  if (permission === 'hidden') throw notFound()
  if (permission === 'forbidden') throw new AppError('auth_insufficient_permissions')
}

/** A handler that did not check permission is a security hole, whatever it answered. */
export async function runWithPermissionCheck<T>(
  run: () => Promise<T>,
): Promise<{ result: T; permissionAsked: boolean }> {
  const request = { permission: false }
  const result = await permissionContext.run(request, run)
  return { result, permissionAsked: request.permission }
}
