import { Page } from '../../components/Page.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'

/** Being written. */
export function RegisterPage() {
  return (
    <Page>
      <PageHeader title="RegisterPage" />
    </Page>
  )
}
