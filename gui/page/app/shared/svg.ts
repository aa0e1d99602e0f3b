// SPDX-License-Identifier: Apache-2.0

/** What style sheets may say of a shape or a text. */
const PAINT = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin',
               'opacity', 'paint-order', 'font-family', 'font-size', 'font-weight', 'text-anchor', 'display', 'visibility'];
/** What a file needs none of: styles, which the page must not write, and names for style sheets, scripts and screen readers. */
const FOREIGN = /^(class|style|role|tabindex|aria-|data-|_ng)/;

/** A drawing of the page as a file of its own, as the window shows it: what style sheets say of it is written into it. */
export function svgFile(drawing: SVGSVGElement): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const copies = [copy, ...copy.querySelectorAll<SVGElement>('*')];
  [drawing, ...drawing.querySelectorAll('*')].forEach((element, i) => {
    const style = getComputedStyle(element);
    element.getAttributeNames().filter((name) => FOREIGN.test(name)).forEach((name) => copies[i].removeAttribute(name));
    PAINT.forEach((name) => copies[i].setAttribute(name, style.getPropertyValue(name)));
  });
  const { width, height } = drawing.getBoundingClientRect();
  copy.setAttribute('viewBox', `0 0 ${width} ${height}`);
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  const ground = document.createElementNS(copy.namespaceURI, 'rect');
  ground.setAttribute('width', '100%');
  ground.setAttribute('height', '100%');
  ground.setAttribute('fill', groundOf(drawing));
  copy.prepend(ground);
  return new XMLSerializer().serializeToString(copy);
}

/** The colour behind an element: that of the nearest one around it that has one. */
function groundOf(element: Element): string {
  const { backgroundColor } = getComputedStyle(element);
  const isClear = backgroundColor === 'transparent' || backgroundColor.endsWith(', 0)');
  return isClear && element.parentElement ? groundOf(element.parentElement) : backgroundColor;
}
