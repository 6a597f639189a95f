import { Page } from '../../components/Page.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'

/** Being written. */
export function LoginPage() {
  return (
    <Page>
      <PageHeader title="LoginPage" />
    </Page>
  )
}
