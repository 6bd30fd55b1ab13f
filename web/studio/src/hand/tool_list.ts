// The drawing tools by name: key, title, icon, and what is said before each click.
export interface Tool {
  key: string;
  title: string;
  icon: string; // path in a box of 24
  hints: string[]; // before each click
  clicks: number; // 0: until the first place is met again, or Enter
  picksBodies?: boolean; // not places
  ofBody?: boolean; // acts on the selected body
  isShape?: boolean; // of a body, or of ground
}

const disc = (x: number, y: number, r: number) => `M${x} ${y}m-${r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0-${2 * r} 0`;

export const tools: Record<string, Tool> = {
  link: { key: 'l', title: 'Link', icon: 'M5 19L19 5' + disc(5, 19, 2.5) + disc(19, 5, 2.5), hints: ['Link: click where it begins; on a point it is pinned there.', 'Click where it ends, or type its length. Shift holds 15°.'], clicks: 2 },
  pin: { key: 'g', title: 'Pin to ground', icon: disc(12, 8, 3) + 'M10.5 10.5L6 18h12l-4.5-7.5M4 21h16', hints: ['Pin to ground: click a point of a body, a body, or an empty place.'], clicks: 1 },
  guide: { key: 'u', title: 'Guide', icon: 'M3 9h18M3 15h18M9 12h6', hints: ['Guide: click the point that slides.', 'Click the direction.'], clicks: 2 },
  slot: { key: 't', title: 'Slot', icon: 'M7 8h10a4 4 0 0 1 0 8H7a4 4 0 0 1 0-8' + disc(9, 12, 1.5), hints: ['Slot: click the point that slides.', 'Click where the slot begins, on the body that carries it.', 'Click where it ends.'], clicks: 3 },
  motor: { key: 'o', title: 'Motor', icon: disc(12, 12, 8) + 'M8 15V9l4 5 4-5v6', hints: ['Motor: click a pin.'], clicks: 1 },
  spring: { key: 's', title: 'Spring', icon: 'M2 12h4l2-5 4 10 4-10 2 5h4', hints: ['Spring: click one end.', 'Click the other end.'], clicks: 2 },
  damper: { key: 'd', title: 'Damper', icon: 'M2 12h7M9 7v10h8M9 7h8M14 9v6M14 12h8', hints: ['Damper: click one end.', 'Click the other end.'], clicks: 2 },
  weight: { key: 'w', title: 'Weight', icon: 'M12 3v14M7 12l5 6 5-6M5 21h14', hints: ['Weight: click a body. It gets a mass, and everything falls.'], clicks: 1, picksBodies: true },
  polygon: { key: 'f', title: 'Profile', icon: 'M5 19L4 8l9-4 7 8-5 8z', hints: ['Profile: click its corners; the first one again, or Enter, closes it. A: an arc through the next click.'], clicks: 0, isShape: true },
  spline: { key: 'j', title: 'Smooth profile', icon: 'M4 14C3 6 10 2 14 6s8 3 6 9-9 7-12 5-3.500-3-4-6', hints: ['Smooth profile: click places it passes; the first one again, or Enter, closes it.'], clicks: 0, isShape: true },
  circle: { key: 'c', title: 'Circle', icon: disc(12, 12, 8) + 'M12 12h8', hints: ['Circle: click its centre, on a body or on empty ground for a new disc.', 'Click its rim, or type its radius.'], clicks: 2, isShape: true },
  contact: { key: 'k', title: 'Contact', icon: disc(8.5, 12, 6) + 'M21 4v16', hints: ['Contact: click a body with a profile.', 'Click the other one.'], clicks: 2, picksBodies: true },
  gear: { key: 'e', title: 'Gears', icon: disc(8, 14, 5) + disc(17, 8, 4) + 'M8 14v.01M17 8v.01', hints: ['Gears: click the centre of one, a point of a body.', 'Click the centre of the other.', 'Click where they meet.'], clicks: 3 },
  rack: { key: 'y', title: 'Rack', icon: disc(12, 8, 5) + 'M2 20v-4l2-2 2 2 2-2 2 2 2-2 2 2 2-2 2 2 2-2 2 2v4z', hints: ['Rack: click the centre of the pinion.', 'Click the place of the rack where they meet.'], clicks: 2 },
  copy: { key: 'q', title: 'Copy', icon: 'M8 8h12v12H8zM16 8V4H4v12h4', hints: ['Copy: click where the selected body is taken.', 'Click where the copy goes.'], clicks: 2, ofBody: true },
  mirror: { key: 'i', title: 'Mirror', icon: 'M12 2v20M9 6L3 18h6zM15 6l6 12h-6z', hints: ['Mirror: click one place of the mirror line.', 'Click another. Shift holds 15°.'], clicks: 2, ofBody: true },
  pattern: { key: 'h', title: 'Polar pattern', icon: disc(12, 4, 2) + disc(19, 9, 2) + disc(16.5, 18, 2) + disc(7.5, 18, 2) + disc(5, 9, 2), hints: ['Polar pattern: type how many (6), then click the centre.'], clicks: 1, ofBody: true },
};
