/**
 * The towns along the long interstates, from one end to the other, by state, in GeoNames' spelling. Towns missing from
 * GeoNames' list of places above 1,000 inhabitants are left out.
 */
export const TOWNS_ALONG: Readonly<Record<string, string>> = {
  '5': `
    CA: San Diego, Oceanside, Irvine, Los Angeles, Santa Clarita, Lebec, Buttonwillow, Kettleman City, Los Banos,
      Tracy, Stockton, Sacramento, Williams, Red Bluff, Redding, Mount Shasta, Yreka
    OR: Ashland, Medford, Grants Pass, Roseburg, Eugene, Albany, Salem, Portland
    WA: Vancouver, Kelso, Centralia, Olympia, Tacoma, Seattle, Everett, Mount Vernon, Bellingham, Blaine
  `,
  '10': `
    CA: Santa Monica, Los Angeles, Ontario, Redlands, Banning, Indio, Blythe
    AZ: Quartzsite, Buckeye, Phoenix, Casa Grande, Tucson, Benson, Willcox
    NM: Lordsburg, Deming, Las Cruces
    TX: El Paso, Van Horn, Fort Stockton, Ozona, Sonora, Junction, Kerrville, San Antonio, Seguin, Columbus, Katy,
      Houston, Baytown, Beaumont
    LA: Lake Charles, Jennings, Lafayette, Baton Rouge, LaPlace, New Orleans, Slidell
    MS: Gulfport, Biloxi
    AL: Mobile
    FL: Pensacola, Crestview, Marianna, Tallahassee, Madison, Live Oak, Lake City, Baldwin, Jacksonville
  `,
  '15': `
    CA: San Diego, Escondido, Temecula, Corona, Fontana, Victorville, Barstow
    NV: Las Vegas, Mesquite
    UT: Saint George, Cedar City, Beaver, Fillmore, Nephi, Provo, Salt Lake City, Ogden, Brigham City, Tremonton
    ID: Malad City, Pocatello, Idaho Falls
    MT: Dillon, Butte, Helena, Great Falls, Conrad, Shelby
  `,
  '20': `
    TX: Midland, Big Spring, Sweetwater, Abilene, Weatherford, Fort Worth, Dallas, Terrell, Tyler, Longview
    LA: Shreveport, Ruston, Monroe
    MS: Vicksburg, Jackson, Meridian
    AL: Livingston, Tuscaloosa, Birmingham, Anniston
    GA: Carrollton, Atlanta, Covington, Augusta
    SC: Columbia, Florence
  `,
  '25': `
    NM: Las Cruces, Truth or Consequences, Socorro, Los Lunas, Albuquerque, Santa Fe, Las Vegas, Raton
    CO: Trinidad, Walsenburg, Pueblo, Colorado Springs, Castle Rock, Denver, Longmont, Fort Collins
    WY: Cheyenne, Wheatland, Douglas, Casper, Buffalo
  `,
  '35': `
    TX: Laredo, Pearsall, San Antonio, New Braunfels, San Marcos, Austin, Round Rock, Temple, Waco, Hillsboro, Dallas,
      Denton, Gainesville
    OK: Ardmore, Pauls Valley, Norman, Oklahoma City, Guthrie, Blackwell
    KS: Wichita, Emporia, Ottawa
    MO: Kansas City, Liberty, Cameron, Bethany
    IA: Osceola, Des Moines, Ames, Clear Lake
    MN: Albert Lea, Owatonna, Faribault, Minneapolis, Forest Lake, Hinckley, Cloquet, Duluth
  `,
  '40': `
    CA: Barstow, Needles
    AZ: Kingman, Williams, Flagstaff, Winslow, Holbrook
    NM: Gallup, Grants, Albuquerque, Moriarty, Santa Rosa, Tucumcari
    TX: Vega, Amarillo, Shamrock
    OK: Elk City, Clinton, El Reno, Oklahoma City, Shawnee, Henryetta, Checotah, Sallisaw
    AR: Fort Smith, Clarksville, Russellville, Conway, Little Rock, Brinkley, Forrest City, West Memphis
    TN: Memphis, Brownsville, Jackson, Dickson, Nashville, Lebanon, Cookeville, Crossville, Knoxville, Newport
    NC: Waynesville, Asheville, Marion, Hickory, Statesville, Winston-Salem, Greensboro, Durham, Raleigh, Benson,
      Warsaw, Wilmington
  `,
  '55': `
    LA: New Orleans, Hammond
    MS: McComb, Brookhaven, Jackson, Grenada, Batesville, Southaven
    TN: Memphis
    AR: Blytheville
    MO: Sikeston, Cape Girardeau, Festus, St. Louis
    IL: Litchfield, Springfield, Lincoln, Bloomington, Pontiac, Joliet, Chicago
  `,
  '65': `
    AL: Mobile, Evergreen, Greenville, Montgomery, Clanton, Birmingham, Cullman, Decatur, Athens
    TN: Columbia, Nashville
    KY: Bowling Green, Elizabethtown, Louisville
    IN: Seymour, Columbus, Indianapolis, Lafayette, Rensselaer, Merrillville, Gary
  `,
  '70': `
    UT: Richfield
    CO: Fruita, Grand Junction, Rifle, Glenwood Springs, Vail, Silverthorne, Idaho Springs, Denver, Limon, Burlington
    KS: Goodland, Colby, Oakley, Hays, Russell, Salina, Junction City, Topeka, Lawrence
    MO: Kansas City, Higginsville, Columbia, Warrenton, Saint Charles, St. Louis
    IL: Collinsville, Vandalia, Effingham
    IN: Terre Haute, Plainfield, Indianapolis, Greenfield, Richmond
    OH: Dayton, Springfield, Columbus, Zanesville, Cambridge
    WV: Wheeling
    PA: Washington, New Stanton, Somerset, Bedford
    MD: Hagerstown, Frederick, Baltimore
  `,
  '75': `
    FL: Miami, Weston, Naples, Fort Myers, Punta Gorda, Sarasota, Tampa, Ocala, Gainesville, Lake City
    GA: Valdosta, Tifton, Cordele, Macon, Forsyth, Atlanta, Marietta, Cartersville, Dalton
    TN: Chattanooga, Cleveland, Lenoir City, Knoxville, Jellico
    KY: Corbin, London, Richmond, Lexington, Georgetown, Florence
    OH: Cincinnati, Dayton, Sidney, Lima, Findlay, Toledo
    MI: Monroe, Detroit, Pontiac, Flint, Saginaw, Bay City, Grayling, Gaylord
  `,
  '80': `
    CA: San Francisco, Oakland, Vallejo, Fairfield, Davis, Sacramento, Auburn, Truckee
    NV: Reno, Fernley, Lovelock, Winnemucca, Battle Mountain, Elko, Wells
    UT: Wendover, Tooele, Salt Lake City, Park City
    WY: Evanston, Green River, Rock Springs, Rawlins, Laramie, Cheyenne
    NE: Kimball, Sidney, Ogallala, North Platte, Gothenburg, Lexington, Kearney, Grand Island, York, Lincoln, Omaha
    IA: Atlantic, Des Moines, Newton, Grinnell, Iowa City, Davenport
    IL: Geneseo, Princeton, Ottawa, Joliet, Lansing
    IN: Gary, Portage, South Bend, Elkhart, Angola
    OH: Toledo, Fremont, Elyria, Cleveland, Youngstown
    PA: Grove City, Clarion, DuBois, Bellefonte, Bloomsburg, Hazleton, Stroudsburg
    NJ: Parsippany, Paterson, Fort Lee
  `,
  '81': `
    TN: Knoxville, Morristown, Bristol
    VA: Abingdon, Wytheville, Christiansburg, Salem, Lexington, Staunton, Harrisonburg, Winchester
    WV: Martinsburg
    MD: Hagerstown
    PA: Chambersburg, Carlisle, Harrisburg, Pottsville, Hazleton, Wilkes-Barre, Scranton
    NY: Binghamton, Cortland, Syracuse, Watertown
  `,
  '90': `
    WA: Seattle, Issaquah, North Bend, Ellensburg, Moses Lake, Ritzville, Spokane
    ID: Coeur d'Alene, Kellogg
    MT: Superior, Missoula, Deer Lodge, Butte, Bozeman, Livingston, Big Timber, Billings, Hardin
    WY: Sheridan, Buffalo, Gillette
    SD: Spearfish, Sturgis, Rapid City, Murdo, Chamberlain, Mitchell, Sioux Falls
    MN: Luverne, Worthington, Jackson, Fairmont, Albert Lea, Austin
    WI: La Crosse, Tomah, Mauston, Portage, Madison, Janesville
    IL: Rockford, Elgin, Chicago
    IN: Gary, South Bend
    OH: Toledo, Cleveland, Mentor
    PA: Erie
    NY: Dunkirk, Buffalo, Batavia, Rochester, Geneva, Syracuse, Utica, Amsterdam, Albany
    MA: Pittsfield, Springfield, Worcester, Framingham, Boston
  `,
  '94': `
    MT: Billings, Forsyth, Miles City, Glendive
    ND: Dickinson, Bismarck, Jamestown, Valley City, Fargo
    MN: Fergus Falls, Alexandria, Saint Cloud, Minneapolis
    WI: Hudson, Menomonie, Eau Claire, Black River Falls, Tomah, Mauston, Portage, Madison, Delafield, Milwaukee,
      Racine, Kenosha
    IL: Gurnee, Chicago
    IN: Gary, Michigan City
    MI: Benton Harbor, Kalamazoo, Battle Creek, Jackson, Ann Arbor, Detroit
  `,
  '95': `
    FL: Miami, Fort Lauderdale, West Palm Beach, Fort Pierce, Melbourne, Daytona Beach, Saint Augustine, Jacksonville
    GA: Brunswick, Richmond Hill
    SC: Hardeeville, Walterboro, Florence, Dillon
    NC: Lumberton, Fayetteville, Smithfield, Wilson, Rocky Mount
    VA: Emporia, Petersburg, Richmond, Fredericksburg
    MD: Baltimore, Aberdeen
    DE: Newark, Wilmington
    PA: Philadelphia
    NJ: Trenton, New Brunswick, Newark
    NY: New York City, New Rochelle
    CT: Stamford, Bridgeport, New Haven, New London
    RI: Warwick, Providence
    MA: Attleboro, Boston, Newburyport
    NH: Portsmouth
    ME: Portland, Augusta, Waterville, Bangor, Houlton
  `,
};
