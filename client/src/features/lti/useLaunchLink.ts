import { setUpLaunch } from '@assay/shared/lti/lti.ts'
import { messageOf } from '../../lib/api/api-error.ts'
import { useSend } from '../../lib/api/api-hooks.ts'
import { launchStore, useLaunch } from '../../lib/session/launch.ts'
import { toast } from '../../lib/toast.ts'
import { rubricPath } from '../rubrics/rubric-path.ts'

interface LaunchLink {
  title: string | null
  lms: string
  /** Lets the link open an assignment that was just created; answers where to go then. */
  bind: (assignmentId: number) => Promise<string>
}

export function useLaunchLink(): LaunchLink | null {
  const launch = useLaunch()
  const { send } = useSend(setUpLaunch)
  if (!launch) return null
  return {
    title: launch.link_title,
    lms: launch.platform.name,
    async bind(assignment_id) {
      try {
        launchStore.set(await send({ body: { assignment: { kind: 'existing', assignment_id } } }))
        return rubricPath(assignment_id)
      } catch (error) {
        // It is there, and can be chosen.
        const why = messageOf(error, 'Please try again.')
        toast.error(`The assignment was created, but the link does not open it yet. ${why}`)
        return '/lti/set-up'
      }
    },
  }
}
