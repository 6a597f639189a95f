import { LinkButton } from '../../components/display/buttons.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { plural } from '../../lib/format.ts'
import { regradesPath } from './regrades-path.ts'

/** `open`: papers with an open request. */
export function OpenRegradesNotice({ assignmentId, open }: { assignmentId: number; open: number }) {
  if (open === 0) return null
  return (
    <Notice
      title={plural(open, 'open regrade request')}
      actions={<LinkButton to={regradesPath(assignmentId)}>Answer requests</LinkButton>}
    >
      {open === 1 ? 'A student asks' : 'Students ask'} you to look at a grade again.
    </Notice>
  )
}
