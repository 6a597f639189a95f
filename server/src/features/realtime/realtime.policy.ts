import { AppError } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import { canManageAssignment, findAssignment } from '../assignments/assignment.service.ts'

export async function canWatchAssignment(actor: Actor, assignmentId: number): Promise<boolean> {
  try {
    const assignment = await findAssignment(assignmentId)
    return assignment !== null && (await canManageAssignment(actor, assignment)) === 'yes'
  } catch (error) {
    if (error instanceof AppError) return false // Its course was deleted.
    throw error
  }
}
