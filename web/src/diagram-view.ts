// The one place that knows bpmn-js. It is loaded when a diagram is shown, not before.
import Viewer from 'bpmn-js/lib/Viewer';
import 'bpmn-js/dist/assets/bpmn-js.css';
import 'bpmn-js/dist/assets/diagram-js.css';
import MoveCanvas from 'diagram-js/lib/navigation/movecanvas';
import type { ElementMark } from './diagram-marks';
import { shapes } from './mark';

/** What is used of bpmn-js, whose own types say little. */
interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Shape extends Box {
  id: string;
  type: string;
  parent?: Shape;
  children?: Shape[];
  businessObject: { calledElement?: string };
}

interface Canvas {
  viewbox: (box?: Box) => { inner: Box; outer: { width: number; height: number }; scale: number };
  zoom: (scale?: number | 'fit-viewport', center?: 'auto') => number;
  addMarker: (element: string, marker: string) => void;
  removeMarker: (element: string, marker: string) => void;
  resized: () => void;
}

interface Overlays {
  add: (element: string, options: object) => string;
}

interface Registry {
  get: (id: string) => Shape | undefined;
  filter: (accepts: (element: Shape) => boolean) => Shape[];
}

interface EventBus {
  on: (event: string, listener: (event: { element: Shape }) => void) => void;
}

interface Drawn {
  marker: string;
  pick: boolean;
  badge: HTMLElement;
  token: HTMLElement;
}

const margin = 32;
const step = 1.25;
/** Below this a diagram cannot be read: a part of it is shown instead of the whole. */
const smallest = 0.4;
const readable = 0.6;
const svg = 'http://www.w3.org/2000/svg';

/** One diagram with marks on it. */
export class DiagramView {
  private readonly viewer: Viewer;
  private readonly drawn = new Map<string, Drawn>();
  private readonly size: ResizeObserver;
  private fits = true;
  private fitted = false;

  constructor(
    private readonly place: HTMLElement,
    private readonly onPick: (element: string) => void,
  ) {
    this.viewer = new Viewer({ container: place, additionalModules: [MoveCanvas] });
    this.size = new ResizeObserver(() => {
      if (this.fits && this.fitted) this.fit();
    });
  }

  async show(xml: string): Promise<void> {
    await this.viewer.importXML(xml);
    this.size.observe(this.place);
    const events: EventBus = this.viewer.get('eventBus');
    events.on('element.click', ({ element }) => {
      const picked = this.pickable(element);
      if (picked !== undefined) this.onPick(picked.id);
    });
    // The list of phases says all of it in words; no key does anything in the drawing.
    for (const part of this.place.querySelectorAll('.djs-container > svg, .djs-overlay-container')) {
      part.setAttribute('aria-hidden', 'true');
      part.setAttribute('tabindex', '-1');
    }
  }

  /** Marks elements; what is marked already only changes. */
  mark(marks: ElementMark[]): void {
    for (const mark of marks) {
      const shape = this.find(mark.element);
      if (shape !== undefined) this.apply(shape, mark);
    }
    if (!this.fitted) this.fit();
  }

  /** The whole diagram, as large as it may be; or the part with the token where that would be too small to read. */
  fit(): void {
    this.fits = true;
    this.canvas.resized();
    const { inner, outer } = this.canvas.viewbox();
    if (inner.width === 0 || outer.width === 0) return;
    this.fitted = true;
    const scale = Math.min(outer.width / (inner.width + 2 * margin), outer.height / (inner.height + 2 * margin), 1);
    const token = scale < smallest ? this.tokenBox() : undefined;
    const shown = token === undefined ? scale : readable;
    const width = outer.width / shown;
    const height = outer.height / shown;
    const x = start(inner.x, inner.width, width, token && token.x + token.width / 2);
    const y = start(inner.y, inner.height, height, token && token.y + token.height / 2);
    this.canvas.viewbox({ x, y, width, height });
  }

  zoom(direction: 1 | -1): void {
    this.fits = false;
    this.canvas.zoom(this.canvas.zoom() * step ** direction, 'auto');
  }

  destroy(): void {
    this.size.disconnect();
    this.viewer.destroy();
  }

  private get canvas(): Canvas {
    return this.viewer.get('canvas');
  }

  private get registry(): Registry {
    return this.viewer.get('elementRegistry');
  }

  private find(element: ElementMark['element']): Shape | undefined {
    if ('id' in element) return this.registry.get(element.id);
    return this.registry.filter((shape) => shape.businessObject.calledElement === element.calls)[0];
  }

  /** What is clicked lies within what is marked. */
  private pickable(shape: Shape): Shape | undefined {
    if (this.drawn.get(shape.id)?.pick === true) return shape;
    return shape.parent === undefined ? undefined : this.pickable(shape.parent);
  }

  private apply(shape: Shape, mark: ElementMark): void {
    const drawn = this.drawn.get(shape.id) ?? this.draw(shape);
    if (drawn.pick !== mark.pick) {
      drawn.pick = mark.pick;
      if (mark.pick) this.canvas.addMarker(shape.id, 'phase-pick');
      else this.canvas.removeMarker(shape.id, 'phase-pick');
    }
    const marker = `phase-${mark.heat === undefined ? mark.mood : `heat-${mark.heat}`}`;
    if (drawn.marker !== marker) {
      if (drawn.marker !== '') this.canvas.removeMarker(shape.id, drawn.marker);
      this.canvas.addMarker(shape.id, marker);
      drawn.marker = marker;
    }
    drawn.token.hidden = !mark.token;
    drawn.badge.hidden = mark.badge === '';
    const look = `badge mark-${mark.mood}`;
    if (drawn.badge.className !== look) {
      drawn.badge.className = look;
      drawn.badge.querySelector('path')?.setAttribute('d', shapes[mark.mood]);
    }
    const text = drawn.badge.querySelector('span');
    if (text !== null && text.textContent !== mark.badge) text.textContent = mark.badge;
  }

  private draw(shape: Shape): Drawn {
    const overlays: Overlays = this.viewer.get('overlays');
    const badge = document.createElement('div');
    const sign = document.createElementNS(svg, 'svg');
    sign.setAttribute('viewBox', '0 0 16 16');
    sign.append(document.createElementNS(svg, 'path'));
    badge.append(sign, document.createElement('span'));
    const token = document.createElement('div');
    token.className = 'token';
    const task = shape.children?.find((child) => child.type === 'bpmn:ServiceTask') ?? shape;
    overlays.add(shape.id, { position: { top: -25, left: 4 }, html: badge, scale: { min: 0.75, max: 1.1 } });
    overlays.add(task.id, { position: { bottom: 11, left: -11 }, html: token });
    const drawn = { marker: '', pick: false, badge, token };
    this.drawn.set(shape.id, drawn);
    return drawn;
  }

  private tokenBox(): Box | undefined {
    for (const [id, drawn] of this.drawn) {
      if (!drawn.token.hidden) return this.registry.get(id);
    }
    return undefined;
  }
}

/** Where a view begins so that a point is in its middle as far as the diagram reaches; without a point all is centred. */
function start(from: number, length: number, view: number, point: number | undefined): number {
  const room = length + 2 * margin - view;
  if (point === undefined || room <= 0) return from + (length - view) / 2;
  return from - margin + Math.max(0, Math.min(room, point - view / 2 - from + margin));
}
