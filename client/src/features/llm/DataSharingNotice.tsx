import { isLoopbackAddress } from '@assay/shared/rules/web-address.ts'
import { Notice } from '../../components/feedback/Notice.tsx'

/** What is sent to whom, before anybody decides. `host` null: nobody has said where yet. */
export function DataSharingNotice({ host, pictures }: { host: string | null; pictures: boolean }) {
  return (
    <Notice title="What leaves this server">
      Questions, the expected answers and what students have written
      {pictures && ', and pictures of scanned and handwritten papers'}, with names, e-mail addresses and student numbers
      masked where they are known or found. All of it goes to{' '}
      {host === null ? 'the address you write' : <strong>{host}</strong>}
      {host !== null && isLoopbackAddress(`http://${host}`)
        ? ', a program on this very server: nothing leaves it, unless that program passes it on. '
        : ', whose terms then hold for it. '}
      Nothing is sent before somebody grades or tests.
    </Notice>
  )
}
