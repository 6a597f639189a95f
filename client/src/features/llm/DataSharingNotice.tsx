import { isLoopbackAddress } from '@assay/shared/rules/web-address.ts'
import { Notice } from '../../components/feedback/Notice.tsx'

export function DataSharingNotice({ host, pictures }: { host: string | null; pictures: boolean }) {
  return (
    <Notice title="Data sent to the AI model">
      Questions, the expected answers and student answers
      {pictures && ', and images of scanned and handwritten papers'}, with names, email addresses and student numbers
      masked where known or found. All of it goes to {host === null ? 'the address you enter' : <strong>{host}</strong>}
      {host !== null && isLoopbackAddress(`http://${host}`)
        ? ', which runs on this server. Nothing leaves it unless that program forwards it. '
        : ', whose terms then apply. '}
      Nothing is sent until you grade papers or test the connection.
    </Notice>
  )
}
