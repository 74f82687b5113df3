import { fileURLToPath } from 'node:url';
import type PDFDocument from 'pdfkit';
import type { FileStyle } from '../reader.ts';
import { PDF_WORDS } from './pdf-words.ts';

const font = (name: string): string => fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`));
export const MARGIN = 36;
export const QUIET = '#4f5b68';
const LOGO = 30;
const PAPERS = { LETTER: [612, 792], A4: [595.28, 841.89] } as const;
const paperOf = ({ language }: FileStyle): keyof typeof PAPERS => (language === 'en-US' ? 'LETTER' : 'A4');

export type Root = ReturnType<typeof PDFDocument.prototype.struct>;

type Layout = 'landscape' | 'portrait';

/**
 * A tagged document (PDF/UA) on the paper of the reader's language, with the element that everything is added to. With
 * `made`, the same content gives the same bytes. It has no page before `firstPage`.
 */
export async function openPdf(title: string, style: FileStyle, made?: Date) {
  // Loaded when someone first asks for a document.
  const { default: Document } = await import('pdfkit');
  const document: PDFKit.PDFDocument = new Document({
    ...{ size: paperOf(style), margin: MARGIN, autoFirstPage: false },
    // The last margin is the table's; what stands below it is the footer.
    ...{ pdfVersion: '1.7', tagged: true, displayTitle: true, lang: style.language, bufferPages: true },
    info: { Title: title, Author: style.organisation, ...(made && { CreationDate: made }) },
  });
  document.registerFont('text', font('DejaVuSansCondensed'));
  document.registerFont('bold', font('DejaVuSansCondensed-Bold'));
  document.font('text').fontSize(8);
  const root: Root = document.struct('Document');
  document.addStructure(root);
  return { document, root };
}

/** The width between the margins. */
export const roomIn = (layout: Layout, style: FileStyle): number =>
  PAPERS[paperOf(style)][layout === 'portrait' ? 0 : 1] - 2 * MARGIN;

/** Begins the first page; those after it lie in the same way. */
export function firstPage(document: PDFKit.PDFDocument, layout: Layout): void {
  document.options.layout = layout;
  document.addPage();
}

/** The organization's logo and name, and what the document is; the next text stands below. */
export function letterhead(document: PDFKit.PDFDocument, root: Root, title: string, style: FileStyle): void {
  const left = style.logo ? MARGIN + LOGO + 10 : MARGIN;
  if (style.logo) {
    const { logo, organisation } = style;
    root.add(
      document.struct('Figure', { alt: organisation }, () => {
        document.image(logo, MARGIN, MARGIN, { fit: [LOGO, LOGO] });
      }),
    );
  }
  root.add(
    document.struct('P', {}, () => {
      document.font('text').fontSize(8).text(style.organisation, left, MARGIN);
    }),
  );
  root.add(
    document.struct('H1', {}, () => {
      document
        .font('bold')
        .fontSize(15)
        .text(title, left, MARGIN + 11)
        .font('text')
        .fontSize(8);
    }),
  );
  document.x = MARGIN;
  document.y = MARGIN + LOGO + 8;
}

export function paragraph(document: PDFKit.PDFDocument, root: Root, text: string): void {
  root.add(
    document.struct('P', {}, () => {
      document.text(text, MARGIN, document.y);
    }),
  );
}

/** Below each page: what it is of, and its number. */
export function numberPages(document: PDFKit.PDFDocument, style: FileStyle, about: string): void {
  const { start, count } = document.bufferedPageRange();
  for (let page = start; page < start + count; page++) {
    document.switchToPage(page);
    const { height, width, margins } = document.page;
    // Below the margin, where text would otherwise begin a new page.
    margins.bottom = 0;
    document.markContent('Artifact', { type: 'Pagination' });
    const [top, room] = [height - MARGIN + 10, width - 2 * MARGIN];
    const number = PDF_WORDS[style.language].page(page - start + 1, count);
    document.font('text').fontSize(7).fillColor(QUIET);
    document.text(about, MARGIN, top, { width: room * 0.8, height: 9, ellipsis: true, lineBreak: false });
    document.text(number, MARGIN, top, { width: room, align: 'right', lineBreak: false });
    document.endMarkedContent();
  }
}
