import type { Platform } from '@assay/shared/lti/lti-platforms.ts'
import { Link } from 'react-router-dom'
import { Notice } from '../../../components/feedback/Notice.tsx'

/** Which other LMSs have this one's issuer, and whether they have the same people. */
export function SameIssuerNotice({ platform: { same_issuer } }: { platform: Platform }) {
  const tools = same_issuer.filter((other) => other.same_people)
  const others = same_issuer.filter((other) => !other.same_people)
  return (
    <>
      {others.length > 0 && (
        <Notice tone="warn" title={others.length === 1 ? 'Another LMS has this issuer' : 'Other LMSs have this issuer'}>
          <Names platforms={others} /> {others.length === 1 ? 'has' : 'have'} the same issuer, but another
          authentication URL or key set URL. Assay keeps the people of each apart, so nobody from one can open an
          account from the other. If they are tools of the same LMS, enter the same addresses before people use them.
        </Notice>
      )}
      {tools.length > 0 && (
        <Notice>
          <Names platforms={tools} /> {tools.length === 1 ? 'is another tool' : 'are other tools'} of the same LMS, with
          the same people. A new authentication URL or key set URL applies to all of them.
        </Notice>
      )}
    </>
  )
}

function Names({ platforms }: { platforms: Platform['same_issuer'] }) {
  return platforms.map(({ id, name, client_id }, i) => (
    <span key={id}>
      {i > 0 && (i === platforms.length - 1 ? ' and ' : ', ')}
      <Link to={`/admin/lms/${id}`}>{name}</Link> (client ID {client_id})
    </span>
  ))
}
