import type { ReactNode } from 'react'
import { Page, PageHeader } from '../../../components/layout/Page.tsx'
import classes from './LegalText.module.css'

export function LegalText({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Page width="reading">
      <PageHeader title={title} />
      <div className={classes.text}>{children}</div>
    </Page>
  )
}
