import {
  getInstructorProfile,
  getStudentProfile,
  updateInstructorProfile,
  updateStudentProfile,
} from '@assay/shared/profile.ts'
import { useGet, useSend } from '../../lib/api/api-hooks.ts'
import { useUser } from '../../lib/session/session.tsx'

export function useProfile() {
  const student = useUser().role === 'student'
  return useGet(student ? getStudentProfile : getInstructorProfile)
}

export function useUpdateProfile() {
  const student = useUser().role === 'student'
  return useSend(student ? updateStudentProfile : updateInstructorProfile)
}
